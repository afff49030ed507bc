//! The puzzles' own instances: each set in testdata that has answers, by each engine.

use std::fmt::Display;
use std::rc::Rc;

use anyhow::{Context, bail, ensure};
use fewest_core::budget::Budget;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Engine;
use fewest_core::stats::Stats;
use fewest_klotski::Metric;
use fewest_klotski::solve::Choice;

use super::measure::{Case, Comparison, Work};
use super::testdata;

/// An instance, as a function that solves it by an engine, or the one that suits the puzzle; the
/// plan is left out.
pub(crate) type Solve = Box<dyn Fn(Option<Engine>) -> anyhow::Result<Outcome<()>>>;

/// The instances of an input.
pub(crate) fn instances(puzzle: &str, text: &str) -> anyhow::Result<Vec<Solve>> {
    let (text, budget) = (text.as_bytes(), Budget::unlimited);
    match puzzle {
        "halloween" => all(fewest_halloween::Instance::read(text), move |house, engine| {
            Ok(fewest_halloween::solve::solve(house, engine, &budget())?.outcome.map(drop))
        }),
        "wall-pusher" => {
            let size = fewest_wall_pusher::Size::new(4, 6).context("a size")?;
            all(fewest_wall_pusher::Instance::read(text, size), move |maze, engine| {
                Ok(fewest_wall_pusher::solve::solve(maze, engine, &budget())?.outcome.map(drop))
            })
        }
        "klotski" => all(fewest_klotski::Instance::read(text), move |layout, engine| {
            Ok(fewest_klotski::solve::solve(
                layout,
                Metric::Rectilinear,
                Choice { engine, encoding: None },
                &budget(),
            )?
            .outcome
            .map(drop))
        }),
        "black-white" => {
            let size = fewest_black_white::Size::new(4, 4).context("a size")?;
            all(fewest_black_white::Instance::read(text, size), move |boards, engine| {
                Ok(fewest_black_white::solve::solve(boards, engine, &budget())?.outcome.map(drop))
            })
        }
        _ => bail!("no puzzle is called {puzzle}"),
    }
}

fn all<T: 'static, E: std::error::Error + Send + Sync + 'static>(
    read: impl Iterator<Item = Result<T, E>>,
    solve: impl Fn(&T, Option<Engine>) -> anyhow::Result<Outcome<()>> + Clone + 'static,
) -> anyhow::Result<Vec<Solve>> {
    read.map(|instance| {
        let (instance, solve) = (instance?, solve.clone());
        Ok(Box::new(move |engine| solve(&instance, engine)) as Solve)
    })
    .collect()
}

/// The fewest moves of each instance of a file of answers; `None` where there is no way.
pub(crate) fn answers(path: &str) -> anyhow::Result<Vec<Option<u32>>> {
    let answer = |line: &str| match line {
        "-1" | "NO" => Ok(None),
        // A plan of letters counts as its moves.
        _ if line.starts_with(['N', 'E', 'S', 'W']) => Ok(Some(line.len() as u32)),
        _ => line.parse().map(Some).with_context(|| format!("{path}: {line} is no answer")),
    };
    testdata(path)?.lines().map(answer).collect()
}

/// All instances by one engine.
pub(crate) fn case(
    id: String,
    about: &str,
    instances: &Rc<Vec<Solve>>,
    moves: &Rc<Vec<Option<u32>>>,
    engine: Option<Engine>,
) -> Case {
    let (instances, moves) = (Rc::clone(instances), Rc::clone(moves));
    let solve = move || instances.iter().map(|solve| solve(engine)).collect::<Vec<_>>();
    Case::new(id, about, solve, move |found| {
        ensure!(
            found.len() == moves.len(),
            "{} answers for {} instances",
            moves.len(),
            found.len()
        );
        let (costs, work) = proved(found)?;
        for (number, (found, &expected)) in costs.into_iter().zip(&*moves).enumerate() {
            ensure!(found == expected, "instance {}: {found:?}, expected {expected:?}", number + 1);
        }
        Ok(work)
    })
}

/// The fewest moves of each instance, `None` where there is no plan, and the work of all; an error
/// if one was not finished or the rules refuse its plan.
pub(crate) fn proved<P, E: Display>(
    answers: &[Result<Outcome<P>, E>],
) -> anyhow::Result<(Vec<Option<u32>>, Work)> {
    let mut stats = Stats::default();
    let cost = |(number, answer): (usize, &Result<Outcome<P>, E>)| {
        let outcome = answer.as_ref().map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
        ensure!(
            !matches!(outcome.verdict, Verdict::Stopped { .. }),
            "instance {} was not finished",
            number + 1
        );
        stats = stats.and_then(outcome.stats);
        Ok(outcome.cost())
    };
    let costs = answers.iter().enumerate().map(cost).collect::<anyhow::Result<_>>()?;
    Ok((costs, stats.into()))
}

/// The engines on the data sets of a file, the answers to which stand in the file beside it.
fn set(puzzle: &str, name: &str, engines: &[Engine]) -> anyhow::Result<Comparison> {
    let instances = Rc::new(instances(puzzle, &testdata(&format!("{puzzle}/{name}.in"))?)?);
    let mut moves = answers(&format!("{puzzle}/{name}.out"))?;
    // Those beyond have boards of another size.
    moves.truncate(instances.len());
    let moves = Rc::new(moves);
    let by = |engine: Option<Engine>| {
        let engine_name = engine.map_or("auto", Engine::name);
        case(
            format!("{puzzle}.{name}.{engine_name}"),
            &format!("by {engine_name}"),
            &instances,
            &moves,
            engine,
        )
    };
    let count = instances.len();
    let title = format!("{puzzle}, {name}: {count} instance{}", if count == 1 { "" } else { "s" });
    Ok(Comparison {
        title,
        cases: engines.iter().copied().map(Some).chain([None]).map(by).collect(),
        ..Comparison::default()
    })
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let halloween = [
        "sample",
        "gen_valid10",
        "gen_unsolvable_order1",
        "community_10x5",
        "luogu_P1778_sample",
        "broken_row_unsolvable",
    ];
    let halloween = halloween.map(|name| set("halloween", name, &Engine::ALL));
    let mazes = ["sample", "mazes"]
        .map(|name| set("wall-pusher", name, fewest_wall_pusher::solve::ENGINES));
    let klotski = [set("klotski", "classics", fewest_klotski::solve::ENGINES)];
    let boards = ["boards", "P1225_sample", "P4289_sample"];
    let boards = boards.map(|name| set("black-white", name, fewest_black_white::solve::ENGINES));
    halloween.into_iter().chain(mazes).chain(klotski).chain(boards).collect()
}
