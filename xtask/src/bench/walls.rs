//! The wall pusher: ten thousand random mazes of the classic size, those without a way out, and a
//! large one.

use std::borrow::Borrow;
use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_bench_variants::Found;
use fewest_bench_variants::walls::{self, Maze};
use fewest_core::budget::{Budget, Limits};
use fewest_core::outcome::Outcome;
use fewest_core::random::Random;
use fewest_wall_pusher::generate::{Wanted, maze};
use fewest_wall_pusher::rules::Refusal;
use fewest_wall_pusher::solve::solve;
use fewest_wall_pusher::{Instance, Plan, Size};

use super::measure::{Case, Comparison, Work};
use super::{puzzles, testdata};

const MAZES: usize = 10_000;
/// How many of them have a way out, and how many moves these ways take together. Breadth-first
/// search has found the same, and exhausted all others but 20, which have more than four million
/// boards.
const SOLVABLE: usize = 7692;
const MOVES: u32 = 30_162;

/// The same of those with eight moves or more.
const LONG: (u32, (usize, u32)) = (8, (550, 4936));

/// Of those without a way out: the one that takes longest, and the one with most boards below a
/// million.
const SHUT: [(usize, u64); 2] = [(8313, 650_944), (5958, 890_401)];

/// The longest way that is known on 8 x 8 cells.
const LARGE_MOVES: u32 = 38;

fn classic() -> anyhow::Result<Size> {
    Size::new(4, 6).context("a size")
}

/// Between 30 and 70 of a hundred walls, and one to four gaps.
fn mazes() -> anyhow::Result<Vec<Instance>> {
    let (size, mut random) = (classic()?, Random::from_seed(7));
    let wanted = |random: &mut Random| Wanted {
        size,
        walls: 30 + random.below(41),
        gaps: 1 + random.below(4),
    };
    Ok((0..MAZES).map(|_| maze(wanted(&mut random), &mut random)).collect())
}

type Answer = Result<Outcome<Plan>, Refusal>;

/// Each with its plan, which the rules have accepted.
fn ours(mazes: impl IntoIterator<Item: Borrow<Instance>>) -> Vec<Answer> {
    let budget = Budget::new(Limits { memory_bytes: Some(4 << 30), ..Limits::default() });
    mazes.into_iter().map(|maze| Ok(solve(maze.borrow(), None, &budget)?.outcome)).collect()
}

/// All of a text.
fn read(text: &str, size: Size) -> impl Iterator<Item = Instance> {
    Instance::read(text.as_bytes(), size).filter_map(Result::ok)
}

/// Checks how many have a way out, and how many moves these take together.
fn check(
    answers: &[Answer],
    instances: usize,
    solvable: usize,
    moves: u32,
) -> anyhow::Result<Work> {
    ensure!(answers.len() == instances, "{} answers", answers.len());
    let (costs, work) = puzzles::proved(answers)?;
    let found: Vec<u32> = costs.into_iter().flatten().collect();
    ensure!(
        (found.len(), found.iter().sum()) == (solvable, moves),
        "{} with a way out",
        found.len()
    );
    Ok(work)
}

/// Mazes with a way out, by the textbook and by us; it never ends on the others. `least` is the
/// fewest moves of those that count.
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
    let long =
        ours(&all).into_iter().zip(all).filter(|(answer, _)| is_long(answer)).map(|(_, maze)| maze);
    let mazes: Rc<Vec<_>> = Rc::new(long.collect());
    let text: Rc<String> = Rc::new(mazes.iter().map(Instance::to_string).collect());
    let check_textbook = move |found: &Vec<Found>| {
        let each: Option<Vec<_>> = found.iter().map(|found| found.moves).collect();
        let each = each.context("one has no way out")?;
        ensure!(
            (each.len(), each.iter().sum()) == (count, moves),
            "{} with a way out, by {:?} moves",
            each.len(),
            each.iter().sum::<u32>()
        );
        Ok(Work::of_textbook(found))
    };
    let textbook = |name: &str, about: &str, program: fn(&[Maze]) -> Vec<Found>| {
        let mazes = Maze::read(&text);
        Case::new(format!("{id}.{name}"), about, move || program(&mazes), check_textbook).foreign()
    };
    let [bounded_text, ours_text] = [(); 2].map(|()| Rc::clone(&text));
    let check_ours = move |answers: &Vec<Answer>| check(answers, count, count, moves);
    let cases = vec![
        textbook("bounded", "IDA*, distance to the nearest gap", walls::bounded),
        textbook("edges", "the same, a bit an edge", walls::edges),
        Case::new(
            format!("{id}.ours"),
            "ours, with the plan replayed",
            move || ours(&*mazes),
            check_ours,
        ),
        Case::new(
            format!("{id}.bounded-text"),
            "IDA*, from the text",
            move || walls::bounded(&Maze::read(&bounded_text)),
            check_textbook,
        )
        .foreign(),
        Case::new(
            format!("{id}.ours-text"),
            "ours, from the text",
            move || ours(read(&ours_text, size)),
            check_ours,
        ),
    ];
    let of = if least > 1 { format!(" in {least} moves or more") } else { String::new() };
    Ok(Comparison {
        title: format!("Walls: {count} random mazes of 4 x 6 that can be left{of}"),
        cases,
        ..Comparison::default()
    })
}

/// All of them, and what takes longest.
fn every() -> anyhow::Result<Comparison> {
    let size = classic()?;
    let mazes = mazes()?;
    let text: String = mazes.iter().map(Instance::to_string).collect();
    let run = move || ours(read(&text, size));
    let about =
        format!("{MAZES} mazes from the text, {} of them without a way out", MAZES - SOLVABLE);
    let mut cases = vec![Case::new("walls.all.batch", about, run, |answers| {
        check(answers, MAZES, SOLVABLE, MOVES)
    })];
    for (number, boards) in SHUT {
        let maze = mazes[number].clone();
        let about = format!("maze {number}: no way out, {boards} boards");
        let run = move || ours([&maze]);
        cases.push(Case::new(format!("walls.all.shut-{number}"), about, run, |answers| {
            check(answers, 1, 0, 0)
        }));
    }
    let large = testdata("wall-pusher/hardest.in")?;
    let large = Instance::read(large.as_bytes(), size).nth(1).context("a second maze")??;
    let run = move || ours([&large]);
    let about = format!("8 x 8 cells, {LARGE_MOVES} moves");
    cases.push(Case::new("walls.all.large", about, run, |answers| {
        check(answers, 1, 1, LARGE_MOVES)
    }));
    let title = "Walls: a batch, those that take longest, and a large one".to_owned();
    Ok(Comparison { title, cases, unlike: true, ..Comparison::default() })
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    Ok(vec![
        solvable("walls.classic", 1, (SOLVABLE, MOVES))?,
        solvable("walls.long", LONG.0, LONG.1)?,
        every()?,
    ])
}
