//! Ghosts: contest files and large maps from text to plan, and surveys with many ghosts.

use std::fmt::Write as _;
use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_bench_variants::ghosts::{GhostMap, breadth_first};
use fewest_core::budget::Budget;
use fewest_core::encoding::{CellIndex, Cells, UNREACHABLE};
use fewest_core::outcome::Outcome;
use fewest_core::stats::Stats;
use fewest_geometry::{Cell, Grid};
use fewest_halloween::generate::{InstanceSize, random_instance};
use fewest_halloween::single_agent::SingleAgent;
use fewest_halloween::solve::solve;
use fewest_halloween::{Ghost, Instance, Size, moving_ai};
use fewest_puzzle::random::Random;
use fewest_rules::Verified;

use super::case::{Case, Work};
use super::measure::Comparison;
use super::puzzles::answers;
use super::survey::{Group, Survey};
use super::testdata;

/// Reads a text and solves all its instances.
fn solve_text(text: &str) -> anyhow::Result<Vec<Outcome<Verified<Instance>>>> {
    let budget = Budget::unlimited();
    Instance::read(text.as_bytes())
        .map(|instance| Ok(solve(&instance?, None, &budget)?.outcome))
        .collect()
}

/// A case of our solver on a text; `moves` are the expected answers.
fn from_text(id: String, about: &str, text: Rc<str>, moves: Vec<Option<u32>>) -> Case {
    Case::new(
        id,
        about,
        move || solve_text(&text),
        move |outcomes| {
            let outcomes = outcomes.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
            let found: Vec<_> = outcomes.iter().map(Outcome::cost).collect();
            ensure!(found == moves, "found {found:?}, expected {moves:?}");
            let stats =
                outcomes.iter().fold(Stats::default(), |sum, outcome| sum.and_then(outcome.stats));
            Ok(stats.into())
        },
    )
}

/// A file solved by a textbook search and by ours, including the time to read it.
fn file(name: &str) -> anyhow::Result<Comparison> {
    let text: Rc<str> = testdata(&format!("halloween/{name}.in"))?.into();
    let moves = answers(&format!("halloween/{name}.out"))?;
    let (textbook_text, expected) = (Rc::clone(&text), moves.clone());
    let textbook = Case::new(
        format!("ghosts.text.{name}.textbook"),
        "textbook: BFS, neighbour lists, n^3 bytes",
        move || breadth_first::lists(&GhostMap::read(&textbook_text, 3)),
        move |found| {
            let answers: Vec<_> = found.iter().map(|found| found.moves).collect();
            ensure!(answers == expected, "found {answers:?}, expected {expected:?}");
            let states = found.iter().map(|found| found.expanded).sum();
            Ok(Work { states: Some(states), ..Work::default() })
        },
    );
    let ours = from_text(format!("ghosts.text.{name}.ours"), "ours", text, moves);
    let title = format!("Ghosts: {name}, from text to plan");
    Ok(Comparison { title, cases: vec![textbook.baseline(), ours], ..Comparison::default() })
}

/// Each map of reversals.in, in which the ghosts have to reverse their order.
fn reversals() -> anyhow::Result<Comparison> {
    let text = testdata("halloween/reversals.in")?;
    let instances: Vec<Instance> = Instance::read(text.as_bytes()).collect::<Result<_, _>>()?;
    let moves = answers("halloween/reversals.out")?;
    ensure!(
        instances.len() == moves.len(),
        "found {} instances and {} answers",
        instances.len(),
        moves.len()
    );
    let case = |((number, instance), moves): ((usize, &Instance), &Option<u32>)| {
        let about = format!("{} steps", moves.unwrap_or(0));
        from_text(
            format!("ghosts.reversal.{}", number + 1),
            &about,
            instance.to_string().into(),
            vec![*moves],
        )
    };
    let title = "Ghosts: orders reversed in corridors, from text to plan".to_owned();
    let cases = instances.iter().enumerate().zip(&moves).map(case).collect();
    Ok(Comparison { title, cases, unrelated: true, ..Comparison::default() })
}

/// Three ghosts on the largest maps of the contest format.
fn large() -> anyhow::Result<Comparison> {
    let size = InstanceSize { width: SIDE, height: SIDE, ghosts: 3 };
    let corridors =
        random_instance(size, &mut Random::from_seed(3)).context("too few corridor cells")?;
    let head_on = head_on(&corridors).context("cannot place the ghosts")?;
    // The first two numbers are distances of one ghost, so no plan is shorter. The third is the
    // result of our solver.
    let case = |name: &str, about: &str, instance: &Instance, moves| {
        from_text(
            format!("ghosts.large.{name}"),
            about,
            instance.to_string().into(),
            vec![Some(moves)],
        )
    };
    let cases = vec![
        case(
            "hall",
            "no walls, from corner to corner",
            &hall().context("cannot place the ghosts")?,
            2 * u32::from(SIDE - 1),
        ),
        case("corridors", "a tree of corridors", &corridors, 1257),
        case("head-on", "two ghosts meet the third in a corridor", &head_on, 845),
    ];
    let title = "Ghosts: three ghosts on 255 x 255, from text to plan".to_owned();
    Ok(Comparison { title, cases, unrelated: true, ..Comparison::default() })
}

const SIDE: u16 = 255;

/// A map without walls, with ghosts that go to opposite corners.
fn hall() -> Option<Instance> {
    let (least, most) = (0, i32::from(SIDE) - 1);
    let ghost = |start: [i32; 2], goal: [i32; 2]| {
        let [start, goal] = [start, goal].map(|[x, y]| Cell { row: y, column: x });
        Ghost { start, goal }
    };
    // In the contest format no ghost starts at the goal of another one.
    let ghosts = [
        ghost([least, least], [most, most]),
        ghost([most, most - 1], [least, least + 1]),
        ghost([most, least], [least, most]),
    ];
    let open = std::iter::repeat_n(true, usize::from(SIDE) * usize::from(SIDE));
    Instance::new(Size::new(SIDE.into(), SIDE.into())?, open.collect(), ghosts.into())
}

/// The same map with ghosts that have to pass each other. Two follow the shortest path of the first
/// ghost, one behind the other; the third goes the opposite way.
fn head_on(instance: &Instance) -> Option<Instance> {
    let single_agent = SingleAgent::new(instance, &mut Budget::unlimited().meter()).ok()?;
    let (start, goal) = (single_agent.starts()[0], single_agent.goals()[0]);
    let next = |&cell: &CellIndex| single_agent.choices(0, cell).next().filter(|_| cell != goal);
    let path: Vec<Cell> =
        std::iter::successors(Some(start), next).map(|cell| single_agent.cell(cell)).collect();
    let last = path.len() - 1;
    let ends = [(1, last), (0, last - 1), (last - 2, 2)];
    let ghosts = ends.map(|(start, goal)| Ghost { start: path[start], goal: path[goal] });
    Instance::new(instance.size(), instance.corridor().to_bitvec(), ghosts.into())
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let files = ["sample", "gen_valid10", "gen_unsolvable_order1"];
    files.map(file).into_iter().chain([reversals(), large()]).collect()
}

/// Generated maps of corridors with more ghosts than the contest allows. `sizes` are numbers of
/// ghosts and of instances.
fn corridors(id: &'static str, sizes: &[(usize, usize)], large: bool) -> Survey {
    let group = |&(ghosts, count): &(usize, usize)| Group {
        id: format!("{id}.{ghosts}"),
        series: "corridors".to_owned(),
        ghosts,
        instances: Box::new(move || {
            let mut random = Random::from_seed(ghosts as u64);
            let size = InstanceSize { width: 16, height: 16, ghosts };
            let instance = |_| random_instance(size, &mut random).context("too few corridor cells");
            (0..count).map(instance).collect()
        }),
    };
    let title = format!("Ghosts: 16 x 16 corridors{}", if large { ", many ghosts" } else { "" });
    Survey { id, title, groups: sizes.iter().map(group).collect(), large }
}

/// Maps with random obstacles in the MovingAI format, each with the first agents of one scenario.
/// `ghosts` are the numbers of agents.
fn obstacles(id: &'static str, ghosts: &'static [usize], large: bool) -> Survey {
    const MAPS: u64 = 25;
    let groups = [10, 20].into_iter().flat_map(|percent| {
        ghosts.iter().map(move |&ghosts| Group {
            id: format!("{id}.{percent}.{ghosts}"),
            series: format!("{percent} % obstacles"),
            ghosts,
            instances: Box::new(move || {
                (0..MAPS).map(|seed| with_obstacles(percent, ghosts, seed)).collect()
            }),
        })
    });
    let dense = if large { ", dense" } else { "" };
    let title = format!("Ghosts: 32 x 32 with random obstacles, MovingAI format{dense}");
    Survey { id, title, groups: groups.collect(), large }
}

fn with_obstacles(percent: usize, agents: usize, seed: u64) -> anyhow::Result<Instance> {
    const SIDE: usize = 32;
    let mut random = Random::from_seed(seed);
    let mut order: Vec<usize> = (0..SIDE * SIDE).collect();
    random.shuffle(&mut order);
    let obstacles = &order[..SIDE * SIDE * percent / 100];
    let mut map = vec![b'.'; SIDE * SIDE];
    obstacles.iter().for_each(|&cell| map[cell] = b'@');
    let grid = Grid::<SIDE>::new(SIDE, SIDE).context("no cells")?;
    let cells = Cells::new(grid, |cell| map[grid.index(cell)] == b'.').context("too many cells")?;
    let mut starts = largest_component(&cells);
    let mut goals = starts.clone();
    random.shuffle(&mut starts);
    random.shuffle(&mut goals);
    let mut text = format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n");
    for row in map.chunks(SIDE) {
        let _ = writeln!(text, "{}", String::from_utf8_lossy(row));
    }
    let mut scenario = "version 1\n".to_owned();
    for (&start, &goal) in starts.iter().zip(&goals) {
        let [from, to] = [start, goal].map(|number| cells.cell(number));
        let _ = writeln!(
            scenario,
            "0\trandom.map\t{SIDE}\t{SIDE}\t{}\t{}\t{}\t{}\t0",
            from.column, from.row, to.column, to.row
        );
    }
    moving_ai::read(text.as_bytes(), scenario.as_bytes(), Some(agents))
        .map_err(|error| anyhow::anyhow!("cannot read a generated map or scenario: {error:?}"))
}

/// The cells of the largest connected component.
fn largest_component(cells: &Cells) -> Vec<CellIndex> {
    let mut largest = Vec::new();
    let mut visited = vec![false; cells.len()];
    let mut distances = vec![0; cells.len()];
    for from in 0..cells.len() {
        if visited[from] {
            continue;
        }
        let fits = cells.distances(from as CellIndex, &mut distances);
        assert!(fits, "a distance is too great");
        let component: Vec<CellIndex> = (0..cells.len())
            .filter(|&cell| distances[cell] != UNREACHABLE)
            .map(|cell| cell as CellIndex)
            .collect();
        component.iter().for_each(|&cell| visited[cell as usize] = true);
        if component.len() > largest.len() {
            largest = component;
        }
    }
    largest
}

pub(crate) fn surveys() -> Vec<Survey> {
    vec![
        corridors("ghosts.full", &[(4, 200), (5, 100), (6, 100)], false),
        corridors("ghosts.crowded", &[(8, 25), (10, 25), (12, 25)], true),
        obstacles("ghosts.random", &[10, 20, 30, 40, 50, 60], false),
        obstacles("ghosts.dense", &[100, 150, 200, 250, 300], true),
    ]
}
