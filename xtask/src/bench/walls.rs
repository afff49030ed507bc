//! Wall-pusher: ten thousand random mazes of the classic size, the slowest unsolvable ones, and a
//! large one.

use std::borrow::Borrow;
use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_bench_variants::SearchResult;
use fewest_bench_variants::walls::{self, Maze};
use fewest_core::budget::{Budget, Limits};
use fewest_core::outcome::Outcome;
use fewest_puzzle::SolveError;
use fewest_puzzle::random::Random;
use fewest_rules::Verified;
use fewest_wall_pusher::generate::{MazeOptions, maze};
use fewest_wall_pusher::solve::solve;
use fewest_wall_pusher::{Instance, Size};

use super::case::{Case, Work};
use super::measure::Comparison;
use super::{puzzles, testdata};

const MAZES: usize = 10_000;
/// The number of solvable mazes among them, and the sum of their fewest moves. Breadth-first search
/// found the same numbers, and exhausted the unsolvable mazes except 20 with more than four million
/// boards.
const SOLVABLE: usize = 7692;
const MOVES: u32 = 30_162;

/// The fewest moves of a long plan, and the same two numbers for the mazes with a long plan.
const LONG: (u32, (usize, u32)) = (8, (550, 4936));

/// Two unsolvable mazes by number, with their numbers of boards: the slowest one, and the one with
/// the most boards below a million.
const UNSOLVABLE: [(usize, u64); 2] = [(8313, 650_944), (5958, 890_401)];

/// The fewest moves of the hardest known maze of 8 x 8 cells.
const LARGE_MOVES: u32 = 38;

fn classic() -> anyhow::Result<Size> {
    Size::new(4, 6).context("a size")
}

/// Random mazes with a wall probability of 30 % to 70 % and one to four gaps.
fn mazes() -> anyhow::Result<Vec<Instance>> {
    let (size, mut random) = (classic()?, Random::from_seed(7));
    let options = |random: &mut Random| MazeOptions {
        size,
        walls: 30 + random.below(41),
        gaps: 1 + random.below(4),
    };
    Ok((0..MAZES).map(|_| maze(options(&mut random), &mut random)).collect())
}

type Answer = Result<Outcome<Verified<Instance>>, SolveError>;

/// The plans of our solver; the rules have accepted them.
fn ours(mazes: impl IntoIterator<Item: Borrow<Instance>>) -> Vec<Answer> {
    let budget = Budget::new(Limits { memory_bytes: Some(4 << 30), ..Limits::default() });
    mazes.into_iter().map(|maze| Ok(solve(maze.borrow(), None, &budget)?.outcome)).collect()
}

/// All instances of a text.
fn read(text: &str, size: Size) -> impl Iterator<Item = Instance> {
    Instance::read(text.as_bytes(), size).filter_map(Result::ok)
}

/// Checks the number of solvable instances and the sum of their fewest moves.
fn check(
    answers: &[Answer],
    instances: usize,
    solvable: usize,
    moves: u32,
) -> anyhow::Result<Work> {
    ensure!(answers.len() == instances, "found {} answers, expected {instances}", answers.len());
    let (costs, work) = puzzles::proved_costs(answers)?;
    let costs: Vec<u32> = costs.into_iter().flatten().collect();
    let (found, expected) = ((costs.len(), costs.iter().sum::<u32>()), (solvable, moves));
    ensure!(found == expected, "found {found:?} solvable mazes and moves, expected {expected:?}");
    Ok(work)
}

/// Solvable mazes by textbook programs and by our solver. The textbook programs do not terminate on
/// unsolvable mazes. Only mazes that need at least `least` moves are included.
fn solvable(
    id: &'static str,
    least: u32,
    (count, moves): (usize, u32),
) -> anyhow::Result<Comparison> {
    let size = classic()?;
    let all = mazes()?;
    let is_long = |answer: &Answer| {
        answer.as_ref().is_ok_and(|found| found.cost().is_some_and(|cost| cost >= least))
    };
    let answers = ours(&all).into_iter();
    let long = answers.zip(all).filter(|(answer, _)| is_long(answer)).map(|(_, maze)| maze);
    let mazes: Rc<Vec<_>> = Rc::new(long.collect());
    let text: Rc<String> = Rc::new(mazes.iter().map(Instance::to_string).collect());
    let check_textbook = move |found: &Vec<SearchResult>| {
        let costs: Option<Vec<u32>> = found.iter().map(|found| found.moves).collect();
        let costs = costs.context("found no plan for a solvable maze")?;
        let (actual, expected) = ((costs.len(), costs.iter().sum::<u32>()), (count, moves));
        ensure!(actual == expected, "found {actual:?} mazes and moves, expected {expected:?}");
        Ok(Work::of_textbook(found))
    };
    let textbook = |name: &str, about: &str, program: fn(&[Maze]) -> Vec<SearchResult>| {
        let mazes = Maze::read(&text);
        Case::new(format!("{id}.{name}"), about, move || program(&mazes), check_textbook).baseline()
    };
    let [bounded_text, ours_text] = [(); 2].map(|()| Rc::clone(&text));
    let check_ours = move |answers: &Vec<Answer>| check(answers, count, count, moves);
    let cases = vec![
        textbook("bounded", "textbook: IDA*, distance to the nearest gap", walls::bounded),
        textbook("edges", "textbook: the same, one bit per edge", walls::edges),
        Case::new(format!("{id}.ours"), "ours, plan replayed", move || ours(&*mazes), check_ours),
        Case::new(
            format!("{id}.bounded-text"),
            "textbook: IDA*, from text",
            move || walls::bounded(&Maze::read(&bounded_text)),
            check_textbook,
        )
        .baseline(),
        Case::new(
            format!("{id}.ours-text"),
            "ours, plan replayed, from text",
            move || ours(read(&ours_text, size)),
            check_ours,
        ),
    ];
    let condition =
        if least > 1 { format!(" that need {least} moves or more") } else { String::new() };
    Ok(Comparison {
        title: format!("Walls: {count} solvable random mazes of 4 x 6{condition}"),
        cases,
        ..Comparison::default()
    })
}

/// All random mazes, the slowest unsolvable ones, and a large maze.
fn all() -> anyhow::Result<Comparison> {
    let size = classic()?;
    let mazes = mazes()?;
    let text: String = mazes.iter().map(Instance::to_string).collect();
    let run = move || ours(read(&text, size));
    let about = format!("{MAZES} mazes from text, {} of them unsolvable", MAZES - SOLVABLE);
    let mut cases = vec![Case::new("walls.all.batch", about, run, |answers| {
        check(answers, MAZES, SOLVABLE, MOVES)
    })];
    for (number, boards) in UNSOLVABLE {
        let maze = mazes[number].clone();
        let about = format!("maze {number}: unsolvable, {boards} boards");
        let run = move || ours([&maze]);
        cases.push(Case::new(format!("walls.all.shut-{number}"), about, run, |answers| {
            check(answers, 1, 0, 0)
        }));
    }
    let large = testdata("wall-pusher/hardest.in")?;
    let large = Instance::read(large.as_bytes(), size).nth(1).context("found no second maze")??;
    let run = move || ours([&large]);
    let about = format!("8 x 8 cells, {LARGE_MOVES} moves");
    cases.push(Case::new("walls.all.large", about, run, |answers| {
        check(answers, 1, 1, LARGE_MOVES)
    }));
    let title = "Walls: a batch, the slowest mazes, and a large maze".to_owned();
    Ok(Comparison { title, cases, unrelated: true, ..Comparison::default() })
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    Ok(vec![
        solvable("walls.classic", 1, (SOLVABLE, MOVES))?,
        solvable("walls.long", LONG.0, LONG.1)?,
        all()?,
    ])
}
