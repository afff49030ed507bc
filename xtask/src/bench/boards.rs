//! Black-white: batches of classic boards, and large boards.

use std::fmt::Write;
use std::num::NonZero;
use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_bench_variants::SearchResult;
use fewest_bench_variants::boards::{self, Task};
use fewest_black_white::solve::{solve, solve_cost};
use fewest_black_white::space::Space;
use fewest_black_white::{Board, Instance, Size};
use fewest_core::budget::{Budget, Limits};
use fewest_core::outcome::Outcome;
use fewest_core::representation::Representation;
use fewest_core::search::Engine;
use fewest_core::storage::Storage;
use fewest_puzzle::SolveError;
use fewest_puzzle::random::Random;
use fewest_rules::Verified;

use super::case::{Case, Work};
use super::claims::Claim;
use super::measure::Comparison;
use super::processes::{explore_all, in_two_processes};
use super::puzzles;

/// The number of pairs and the sum of their fewest moves, for the first thousand and for the batch.
/// The textbook search finds the same sum for the first thousand. The mean distance of two boards
/// with 8 black pieces is 6.986.
const THOUSAND: (usize, u64) = (1000, 6986);
const BATCH: (usize, u64) = (100_000, 699_870);

type Answer<P = Verified<Instance>> = Result<Outcome<P>, SolveError>;

fn shuffled(size: Size, blacks: usize, random: &mut Random) -> Board {
    let mut cells: Board = (0..size.len()).map(|cell| cell < blacks).collect();
    random.shuffle(&mut cells);
    cells
}

fn classic() -> anyhow::Result<Size> {
    Size::new(4, 4).context("a size")
}

/// Random pairs of classic boards with eight black pieces.
fn batch(count: usize) -> anyhow::Result<Vec<Instance>> {
    let (size, mut random) = (classic()?, Random::from_seed(1));
    let pairs = (0..count).map(|_| {
        Instance::new(size, shuffled(size, 8, &mut random), shuffled(size, 8, &mut random))
    });
    pairs.collect::<Option<_>>().context("the boards differ in size")
}

fn budget() -> Budget {
    Budget::new(Limits { memory_bytes: Some(4 << 30), ..Limits::default() })
}

fn by(engine: Option<Engine>) -> impl Fn(&Instance) -> Answer {
    move |boards| Ok(solve(boards, engine, &budget())?.outcome)
}

/// Checks the number of answers and the sum of their moves.
fn check<P>(answers: &[Answer<P>], (instances, moves): (usize, u64)) -> anyhow::Result<Work> {
    ensure!(answers.len() == instances, "found {} answers, expected {instances}", answers.len());
    let (costs, work) = puzzles::proved_costs(answers)?;
    let found: Option<u64> = costs.into_iter().map(|cost| cost.map(u64::from)).sum();
    ensure!(found == Some(moves), "found {found:?} moves, expected {moves}");
    Ok(work)
}

/// A thousand pairs, solved by textbook searches, by our searches, and by a matching.
fn thousand() -> anyhow::Result<Comparison> {
    let all = Rc::new(batch(THOUSAND.0)?);
    let tasks: Rc<Vec<Task>> = Rc::new(
        all.iter()
            .map(|boards| Task {
                start: std::array::from_fn(|cell| boards.start()[cell]),
                target: std::array::from_fn(|cell| boards.target()[cell]),
            })
            .collect(),
    );
    let textbook = |id: &str, about: &str, program: fn(&[Task]) -> Vec<SearchResult>| {
        let tasks = Rc::clone(&tasks);
        Case::new(
            id,
            about,
            move || program(&tasks),
            |found| {
                let moves: Option<u64> = found.iter().map(|found| found.moves.map(u64::from)).sum();
                let answers = (found.len(), moves);
                let expected = (THOUSAND.0, Some(THOUSAND.1));
                ensure!(answers == expected, "found {answers:?}, expected {expected:?}");
                Ok(Work::of_textbook(found))
            },
        )
        .baseline()
    };
    let ours = |id: &str, about: &str, engine: Option<Engine>| {
        let all = Rc::clone(&all);
        Case::new(
            id,
            about,
            move || all.iter().map(by(engine)).collect(),
            |answers: &Vec<_>| check(answers, THOUSAND),
        )
    };
    let cases = vec![
        textbook("boards.thousand.fx", "textbook: BFS, FxHash set", boards::fx),
        textbook("boards.thousand.dense", "textbook: BFS, one byte per board", boards::dense),
        ours(
            "boards.thousand.bidirectional",
            "ours, bidirectional search",
            Some(Engine::Bidirectional),
        ),
        ours("boards.thousand.astar", "ours, A*", Some(Engine::Astar)),
        ours("boards.thousand.flow", "ours, matching without a search", None),
    ];
    let claims = vec![Claim {
        id: "boards.search-vs-matching",
        text: "a matching beats a search",
        faster: true,
        in_order: false,
        claimed_ratio: None,
        case_ids: ["boards.thousand.fx", "boards.thousand.flow"].map(str::to_owned).into(),
    }];
    let title = format!(
        "Boards: plans for {} random pairs of 4 x 4 boards with eight black pieces",
        THOUSAND.0
    );
    Ok(Comparison { title, cases, claims, ..Comparison::default() })
}

/// A batch from text to answers, and large boards.
fn many() -> anyhow::Result<Comparison> {
    let size = classic()?;
    let text: Rc<String> = Rc::new(batch(BATCH.0)?.iter().map(Instance::to_string).collect());
    let read = move |text: &str| -> Vec<Instance> {
        Instance::read(text.as_bytes(), size).filter_map(Result::ok).collect()
    };
    let (counts, plans) = (Rc::clone(&text), text);
    let mut cases = vec![
        Case::new(
            "boards.many.count",
            format!("number of moves of {} boards of 4 x 4", BATCH.0),
            move || -> Vec<Answer<()>> {
                read(&counts)
                    .iter()
                    .map(|boards| Ok(solve_cost(boards, &budget()).outcome))
                    .collect()
            },
            |answers| check(answers, BATCH),
        ),
        Case::new(
            "boards.many.plans",
            format!("plans of {} boards of 4 x 4, as text", BATCH.0),
            move || -> (Vec<Answer>, String) {
                let mut written = String::new();
                let solve = |boards: &Instance| {
                    let answer = by(None)(boards)?;
                    for step in answer.optimal().into_iter().flatten() {
                        let _ = writeln!(written, "{}", step.text(size));
                    }
                    Ok(answer)
                };
                (read(&plans).iter().map(solve).collect(), written)
            },
            |(answers, written)| {
                ensure!(
                    written.lines().count() as u64 == BATCH.1,
                    "the plans do not have {} lines",
                    BATCH.1
                );
                check(answers, BATCH)
            },
        ),
    ];
    // Moving one half to the other takes half of the cells times half of the rows. For the random
    // boards the tests prove by the potentials of the flow that no plan is shorter.
    for (side, moves) in [(64, 2923), (256, 51_541)] {
        let size = Size::new(side, side).context("a size")?;
        let half = size.len() / 2;
        let mut random = Random::from_seed(1);
        let random = [(); 2].map(|()| shuffled(size, half, &mut random));
        let halves =
            [true, false].map(|first| (0..size.len()).map(|cell| (cell < half) == first).collect());
        for (name, [start, target], moves) in
            [("random", random, moves), ("halves", halves, half * side / 2)]
        {
            let boards = Instance::new(size, start, target).context("the boards differ in size")?;
            cases.push(Case::new(
                format!("boards.many.{name}-{side}"),
                format!("plan for {size}, half black, {name}"),
                move || vec![by(None)(&boards)],
                move |answers| check(answers, (1, moves as u64)),
            ));
        }
    }
    let title = "Boards: a batch from text, and large boards".to_owned();
    Ok(Comparison { title, cases, unrelated: true, ..Comparison::default() })
}

/// The number of boards of 5 x 5 with twelve black pieces, and the most moves to one of them. The
/// flow gives as many for a farthest one.
const TWELVE_OF_25: (u64, usize) = (5_200_300, 38);

/// All boards of 5 x 5 with twelve black pieces, by threads and by processes.
fn several() -> anyhow::Result<Comparison> {
    let size = Size::new(5, 5).context("a size")?;
    let start: Board = (0..size.len()).map(|cell| cell < 12).collect();
    let boards = Instance::new(size, start.clone(), start).context("the boards differ in size")?;
    let space = Space::new(&boards).context("a searched size")?;
    let two = NonZero::new(2).context("not 0")?;
    let mut cases = Vec::new();
    for representation in [Representation::Table, Representation::Bits, Representation::TwoBits] {
        for processes in [false, true] {
            let space = space.clone();
            let budget =
                budget().with_storage(Storage::default().with_representation(representation));
            let (id, about) = match processes {
                false => ("threads", "2 threads"),
                true => ("processes", "2 processes of one thread, over TCP"),
            };
            cases.push(Case::new(
                format!("boards.5x5.{representation}.{id}"),
                format!("`{representation}`, {about}"),
                move || match processes {
                    false => explore_all(&space, &budget.clone().with_threads(two)),
                    true => in_two_processes(&budget, |budget| explore_all(&space, budget)),
                },
                |all| {
                    let found = (all.states(), all.layers.len() - 1);
                    ensure!(found == TWELVE_OF_25, "found {found:?}, expected {TWELVE_OF_25:?}");
                    Ok(Work {
                        states: Some(all.states()),
                        generated: Some(all.stats.generated),
                        bytes: Some(all.stats.bytes),
                    })
                },
            ));
        }
    }
    let title = "Boards: all boards of 5 x 5 with twelve black pieces".to_owned();
    Ok(Comparison { title, cases, unrelated: true, ..Comparison::default() })
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    Ok(vec![thousand()?, many()?, several()?])
}
