//! Klotski: the classic board in both encodings and all metrics, whole components, all named
//! layouts, the census, and a larger board.

use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_core::budget::{Budget, Limit};
use fewest_klotski::builtin::BUILTINS;
use fewest_klotski::census::{all_dominoes, components};
use fewest_klotski::explore::count_boards;
use fewest_klotski::rush_hour::universe::{Totals, Universe};
use fewest_klotski::solve::solve;
use fewest_klotski::{Encoding, Instance, Metric, Task};
use fewest_puzzle::explore::Explore;

use super::case::{Case, Work};
use super::measure::Comparison;
use super::{puzzles, testdata};

const HENG_DAO_LI_MA: &str = "aCCb/aCCb/cdde/cfge/h..i";

/// The published fewest moves of 横刀立马 and diameter of its component, in each metric.
const PUBLISHED: [(Metric, u32, u32); 3] =
    [(Metric::Rectilinear, 81, 145), (Metric::Straight, 90, 156), (Metric::Unit, 116, 190)];

/// Four pieces of four cells and two of three cells on 6 x 6 cells, all L-shaped.
const LARGE: &str = "AA..bb/A.cc.b/A.c..b/d....e/d.ff.e/dd.fee\ngoal: A at 4,5";
const LARGE_STATES: u64 = 158_678;

const ENCODINGS: [(&str, Encoding); 2] =
    [("classic", Encoding::Classic), ("general", Encoding::General)];

fn read(text: &str) -> anyhow::Result<Instance> {
    Ok(Instance::read(text.as_bytes()).next().context("found no board")??)
}

/// One layout, solved in both encodings and each metric.
fn solved() -> anyhow::Result<Comparison> {
    let layout = read(HENG_DAO_LI_MA)?;
    let mut cases = Vec::new();
    for (metric, moves, _) in PUBLISHED {
        for (name, encoding) in ENCODINGS {
            let task = Task::new(layout.clone(), metric).with_encoding(encoding);
            let run = move || solve(&task, None, &Budget::unlimited()).map(|answer| answer.outcome);
            let about = format!("{metric} metric, {name} encoding");
            cases.push(Case::new(
                format!("klotski.proof.{metric}.{name}"),
                about,
                run,
                move |found| {
                    let outcome = found.as_ref().map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
                    ensure!(
                        outcome.cost() == Some(moves),
                        "found {:?} moves, expected {moves}",
                        outcome.cost()
                    );
                    Ok(outcome.stats.into())
                },
            ));
        }
    }
    let title = "Klotski: heng dao li ma, plan and proof".to_owned();
    Ok(Comparison { title, cases, unrelated: true, ..Comparison::default() })
}

fn count_case(id: String, about: String, task: Task, states: u64) -> Case {
    Case::new(
        id,
        about,
        move || count_boards(&task, &Budget::unlimited()),
        move |found| {
            let found = found.as_ref().map_err(|limit| anyhow::anyhow!("{limit}"))?;
            ensure!(found.states() == states, "found {} states, expected {states}", found.states());
            Ok(found.stats.into())
        },
    )
}

/// Whole components: the number of states, and the diameter.
fn explored() -> anyhow::Result<Comparison> {
    let mut cases = Vec::new();
    for (metric, _, published) in PUBLISHED {
        for (name, encoding) in ENCODINGS {
            let id = format!("klotski.component.{metric}.{name}");
            let about = format!("25,955 states, {metric} metric, {name} encoding");
            let task = Task::new(read(HENG_DAO_LI_MA)?, metric).with_encoding(encoding);
            cases.push(count_case(id, about, task, 25_955));
        }
        let task = Task::new(read(HENG_DAO_LI_MA)?, metric);
        let run = move || task.diameter(&Budget::unlimited(), &mut |_| {});
        let about = format!("diameter and radius, {metric} metric");
        cases.push(Case::new(
            format!("klotski.component.{metric}.diameter"),
            about,
            run,
            move |found| {
                let found = found.clone()?;
                ensure!(
                    found.diameter == published,
                    "found diameter {}, expected {published}",
                    found.diameter
                );
                Ok(Work::default())
            },
        ));
    }
    let id = "klotski.component.at-large".to_owned();
    let about = "6 x 6 cells, L-shaped pieces, unit metric".to_owned();
    let task = Task::new(read(LARGE)?, Metric::Unit).with_encoding(Encoding::General);
    cases.push(count_case(id, about, task, LARGE_STATES));
    let title = "Klotski: whole components".to_owned();
    Ok(Comparison { title, cases, unrelated: true, ..Comparison::default() })
}

/// All named layouts, and the census of all layouts.
fn many() -> anyhow::Result<Comparison> {
    let layouts = Rc::new(
        BUILTINS.iter().map(|builtin| read(builtin.text)).collect::<anyhow::Result<Vec<_>>>()?,
    );
    // The fewest moves of the forty classics are published.
    let classics = Instance::read(testdata("klotski/classics.in")?.as_bytes())
        .collect::<Result<Vec<_>, _>>()?;
    let index_of =
        |classic: &Instance| layouts.iter().position(|layout| layout.code() == classic.code());
    let indices = classics.iter().map(|classic| index_of(classic).context("a classic has no name"));
    let indices = indices.collect::<anyhow::Result<Vec<_>>>()?;
    let classics: Vec<_> =
        indices.into_iter().zip(puzzles::answers("klotski/classics.out")?).collect();
    let case = |(name, encoding)| {
        let classics = classics.clone();
        let task = |layout: &Instance| {
            Task::new(layout.clone(), Metric::Rectilinear).with_encoding(encoding)
        };
        let tasks: Vec<_> = layouts.iter().map(task).collect();
        let run = move || -> Vec<_> {
            let solved = |task| solve(task, None, &Budget::unlimited());
            tasks.iter().map(|task| solved(task).map(|answer| answer.outcome.map(drop))).collect()
        };
        let about = format!("363 named layouts, rectilinear metric, {name} encoding");
        Case::new(format!("klotski.named.{name}"), about, run, move |found| {
            let (costs, work) = puzzles::proved_costs(found)?;
            let sum: u32 = costs.iter().flatten().sum();
            ensure!(
                costs.len() == 363 && sum == NAMED_MOVES,
                "found {sum} moves for {} layouts, expected {NAMED_MOVES}",
                costs.len()
            );
            ensure!(
                classics.iter().all(|&(index, moves)| costs[index] == moves),
                "the number of moves of a classic differs from the published one"
            );
            Ok(work)
        })
    };
    let census = || {
        let all: Vec<_> =
            all_dominoes().flat_map(|(standing, lying)| components(standing, lying)).collect();
        let layouts = all.iter().map(|component| component.layouts);
        (all.len(), layouts.clone().sum::<u64>(), layouts.max())
    };
    let census =
        Case::new("klotski.census", "29,334,498 layouts in 25,422 components", census, |&found| {
            let expected = (25_422, 29_334_498, Some(964_656));
            ensure!(found == expected, "found {found:?}, expected {expected:?}");
            Ok(Work::default())
        });
    let rush_hour = || -> Result<_, Limit> {
        let (universe, mut totals) = (Universe::<5>::new(), Totals::default());
        for row_set in 0..universe.row_sets() {
            totals += universe.search(row_set, &Budget::unlimited(), drop)?;
        }
        Ok(totals)
    };
    let about = "6,795,364 Rush Hour boards of 5x5 in 130,299 components";
    let rush_hour = Case::new("klotski.census.rush-hour", about, rush_hour, |found| {
        // The counts are those of M. Fogleman's `rush`.
        let found =
            found.as_ref().map(|all| [all.packed, all.components, all.solvable, all.minimal]);
        ensure!(found == Ok([268_109, 130_299, 62_106, 1_730]), "found {found:?}");
        Ok(Work::default())
    });
    let title = "Klotski: all named layouts, and the census".to_owned();
    let cases = ENCODINGS.into_iter().map(case).chain([census, rush_hour]).collect();
    Ok(Comparison { title, cases, unrelated: true, ..Comparison::default() })
}

/// The sum of the fewest moves of all named layouts. The tests of klotski compare each layout in
/// both encodings, and the classics with the published numbers.
const NAMED_MOVES: u32 = 26_222;

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    Ok(vec![solved()?, explored()?, many()?])
}
