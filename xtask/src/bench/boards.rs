//! Black and white: a batch of classic boards, and large ones.

use std::fmt::Write;
use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_bench_variants::Found;
use fewest_bench_variants::boards::{self, Task};
use fewest_black_white::rules::Refusal;
use fewest_black_white::solve::{count, solve};
use fewest_black_white::{Board, Instance, Plan, Size};
use fewest_core::budget::{Budget, Limits};
use fewest_core::outcome::Outcome;
use fewest_core::random::Random;
use fewest_core::search::Engine;

use super::measure::{Case, Comparison, Work};
use super::puzzles;

/// The sum of the fewest moves of the first thousand and of all boards of the batch. The textbook's
/// search has found the first, and the distance of two boards of 8 black pieces is 6.986 on
/// average.
const THOUSAND: (usize, u64) = (1000, 6986);
const BATCH: (usize, u64) = (100_000, 699_870);

type Answer<P = Plan> = Result<Outcome<P>, Refusal>;

fn shuffled(size: Size, blacks: usize, random: &mut Random) -> Board {
    let mut cells: Board = (0..size.cells()).map(|cell| cell < blacks).collect();
    random.shuffle(&mut cells);
    cells
}

fn classic() -> anyhow::Result<Size> {
    Size::new(4, 4).context("a size")
}

/// Random pairs of boards with eight black pieces.
fn batch(count: usize) -> anyhow::Result<Vec<Instance>> {
    let (size, mut random) = (classic()?, Random::from_seed(1));
    let pairs = (0..count).map(|_| {
        Instance::new(size, shuffled(size, 8, &mut random), shuffled(size, 8, &mut random))
    });
    pairs.collect::<Option<_>>().context("as many cells")
}

fn budget() -> Budget {
    Budget::new(Limits { memory_bytes: Some(4 << 30), ..Limits::default() })
}

fn by(engine: Option<Engine>) -> impl Fn(&Instance) -> Answer {
    move |boards| Ok(solve(boards, engine, &budget())?.outcome)
}

/// Checks how many moves all take together.
fn check<P>(answers: &[Answer<P>], (instances, moves): (usize, u64)) -> anyhow::Result<Work> {
    ensure!(answers.len() == instances, "{} answers", answers.len());
    let (costs, work) = puzzles::proved(answers)?;
    let found: Option<u64> = costs.into_iter().map(|cost| cost.map(u64::from)).sum();
    ensure!(found == Some(moves), "{found:?} moves, expected {moves}");
    Ok(work)
}

/// A thousand pairs by textbook searches, by ours, and without a search.
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
    let textbook = |id: &str, about: &str, program: fn(&[Task]) -> Vec<Found>| {
        let tasks = Rc::clone(&tasks);
        Case::new(
            id,
            about,
            move || program(&tasks),
            |found| {
                let moves: Option<u64> = found.iter().map(|found| found.moves.map(u64::from)).sum();
                ensure!((found.len(), moves) == (THOUSAND.0, Some(THOUSAND.1)), "{moves:?} moves");
                Ok(Work::of_textbook(found))
            },
        )
        .foreign()
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
        textbook("boards.thousand.fx", "breadth-first, in a set with FxHash", boards::fx),
        textbook("boards.thousand.dense", "breadth-first, a byte a board", boards::dense),
        ours("boards.thousand.bidirectional", "ours, from both ends", Some(Engine::Bidirectional)),
        ours("boards.thousand.astar", "ours, A*", Some(Engine::Astar)),
        ours("boards.thousand.flow", "ours, without a search", None),
    ];
    let title = format!(
        "Boards: {} random pairs of 4 x 4 with eight black pieces, with their plans",
        THOUSAND.0
    );
    Ok(Comparison { title, cases, ..Comparison::default() })
}

/// A batch from its text to its answer, and large boards.
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
            format!("{} boards of 4 x 4, the number of moves", BATCH.0),
            move || -> Vec<Answer<()>> {
                read(&counts).iter().map(|boards| Ok(count(boards, &budget()).outcome)).collect()
            },
            |answers| check(answers, BATCH),
        ),
        Case::new(
            "boards.many.plans",
            format!("{} boards of 4 x 4, plans as text", BATCH.0),
            move || -> (Vec<Answer>, String) {
                let mut written = String::new();
                let solve = |boards: &Instance| {
                    let answer = by(None)(boards)?;
                    for step in answer.plan().into_iter().flatten() {
                        let _ = writeln!(written, "{}", step.text(size));
                    }
                    Ok(answer)
                };
                (read(&plans).iter().map(solve).collect(), written)
            },
            |(answers, written)| {
                ensure!(written.lines().count() as u64 == BATCH.1, "lines of plans are missing");
                check(answers, BATCH)
            },
        ),
    ];
    // A half that goes to the other takes as many moves as half of the cells times half of the
    // rows; that no plan of the random ones is shorter, the flow's potentials prove in the tests.
    for (side, moves) in [(64, 2923), (256, 51_541)] {
        let size = Size::new(side, side).context("a size")?;
        let half = size.cells() / 2;
        let mut random = Random::from_seed(1);
        let random = [(); 2].map(|()| shuffled(size, half, &mut random));
        let halves = [true, false]
            .map(|first| (0..size.cells()).map(|cell| (cell < half) == first).collect());
        for (name, [start, target], moves) in
            [("random", random, moves), ("halves", halves, half * side / 2)]
        {
            let boards = Instance::new(size, start, target).context("as many cells")?;
            cases.push(Case::new(
                format!("boards.many.{name}-{side}"),
                format!("{size}, half of it black, {name}, with the plan"),
                move || vec![by(None)(&boards)],
                move |answers| check(answers, (1, moves as u64)),
            ));
        }
    }
    let title = "Boards: a batch from its text, and large boards".to_owned();
    Ok(Comparison { title, cases, unlike: true, ..Comparison::default() })
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    Ok(vec![thousand()?, many()?])
}
