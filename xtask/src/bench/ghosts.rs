//! Ghosts beyond the judges' three: from the text to the plan, and as many as there are.

use std::fmt::Write as _;
use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_bench_variants::ghosts::{House, breadth_first};
use fewest_core::budget::Budget;
use fewest_core::encoding::{Cell, Cells, UNREACHABLE};
use fewest_core::outcome::Outcome;
use fewest_core::random::Random;
use fewest_core::stats::Stats;
use fewest_halloween::generate::{Wanted, house};
use fewest_halloween::single_agent::SingleAgent;
use fewest_halloween::solve::solve;
use fewest_halloween::{Ghost, Instance, Place, Plan, moving_ai};

use super::measure::{Case, Comparison, Work};
use super::puzzles::answers;
use super::survey::{Group, Survey};
use super::testdata;

/// Reads a text and solves what is in it.
fn plans(text: &str) -> anyhow::Result<Vec<Outcome<Plan>>> {
    let budget = Budget::unlimited();
    Instance::read(text.as_bytes())
        .map(|house| Ok(solve(&house?, None, &budget)?.outcome))
        .collect()
}

/// Ours on a text, the answers to which are known.
fn from_text(id: String, about: &str, text: Rc<str>, moves: Vec<Option<u32>>) -> Case {
    Case::new(
        id,
        about,
        move || plans(&text),
        move |outcomes| {
            let outcomes = outcomes.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
            let found: Vec<_> = outcomes.iter().map(Outcome::cost).collect();
            ensure!(found == moves, "{found:?}, expected {moves:?}");
            let stats =
                outcomes.iter().fold(Stats::default(), |sum, outcome| sum.and_then(outcome.stats));
            Ok(stats.into())
        },
    )
}

/// A file by a textbook's search and by ours, both with the reading.
fn file(name: &str) -> anyhow::Result<Comparison> {
    let text: Rc<str> = testdata(&format!("halloween/{name}.in"))?.into();
    let moves = answers(&format!("halloween/{name}.out"))?;
    let (textbooks, expected) = (Rc::clone(&text), moves.clone());
    let textbook = Case::new(
        format!("ghosts.text.{name}.textbook"),
        "breadth-first, neighbour lists, n^3 bytes",
        move || breadth_first::lists(&House::read(&textbooks, 3)),
        move |found| {
            let answers: Vec<_> = found.iter().map(|found| found.moves).collect();
            ensure!(answers == expected, "{answers:?}, expected {expected:?}");
            let states = found.iter().map(|found| found.states).sum();
            Ok(Work { states: Some(states), ..Work::default() })
        },
    );
    let ours = from_text(format!("ghosts.text.{name}.ours"), "ours", text, moves);
    let title = format!("Ghosts: {name}, from the text to the plan");
    Ok(Comparison { title, cases: vec![textbook.foreign(), ours], ..Comparison::default() })
}

/// Each house of the file of reversals.
fn reversals() -> anyhow::Result<Comparison> {
    let text = testdata("halloween/reversals.in")?;
    let houses: Vec<Instance> = Instance::read(text.as_bytes()).collect::<Result<_, _>>()?;
    let moves = answers("halloween/reversals.out")?;
    ensure!(houses.len() == moves.len(), "{} houses, {} answers", houses.len(), moves.len());
    let case = |((number, house), moves): ((usize, &Instance), &Option<u32>)| {
        let about = format!("{} steps", moves.unwrap_or(0));
        from_text(
            format!("ghosts.reversal.{}", number + 1),
            &about,
            house.to_string().into(),
            vec![*moves],
        )
    };
    let title = "Ghosts: orders to be reversed in corridors, from the text to the plan".to_owned();
    let cases = houses.iter().enumerate().zip(&moves).map(case).collect();
    Ok(Comparison { title, cases, unlike: true, ..Comparison::default() })
}

/// Three ghosts on the largest maps of the judges' text.
fn large() -> anyhow::Result<Comparison> {
    let house = house(Wanted { width: SIDE, height: SIDE, ghosts: 3 }, &mut Random::from_seed(3))
        .context("room")?;
    let head_on = head_on(&house).context("room")?;
    // The first two are as far as one ghost has to go, and no plan is shorter. The last is ours.
    let case = |name: &str, about: &str, house: &Instance, moves| {
        from_text(
            format!("ghosts.large.{name}"),
            about,
            house.to_string().into(),
            vec![Some(moves)],
        )
    };
    let cases = vec![
        case(
            "hall",
            "no walls, between corners",
            &hall().context("room")?,
            2 * u32::from(SIDE - 1),
        ),
        case("corridors", "a tree of corridors", &house, 1257),
        case("head-on", "two on one way against the third", &head_on, 845),
    ];
    let title = "Ghosts: three on 255 x 255, from the text to the plan".to_owned();
    Ok(Comparison { title, cases, unlike: true, ..Comparison::default() })
}

const SIDE: u16 = 255;

/// A house without walls, with ghosts that go to the opposite corners.
fn hall() -> Option<Instance> {
    let (least, most) = (0, SIDE - 1);
    let way = |start: [u16; 2], goal: [u16; 2]| {
        let [start, goal] = [start, goal].map(|[x, y]| Place { x, y });
        Ghost { start, goal }
    };
    // In the text no ghost starts where another belongs.
    let ways = [
        way([least, least], [most, most]),
        way([most, most - 1], [least, least + 1]),
        way([most, least], [least, most]),
    ];
    let open = std::iter::repeat_n(true, usize::from(SIDE) * usize::from(SIDE));
    Instance::new(SIDE, open.collect(), ways.into())
}

/// The house with ghosts that have to pass each other: one goes as the first ghost did, one behind
/// it, one the other way.
fn head_on(house: &Instance) -> Option<Instance> {
    let alone = SingleAgent::new(house, &mut Budget::unlimited().meter()).ok()?;
    let (start, goal) = (alone.starts()[0], alone.goals()[0]);
    let next = |&cell: &Cell| alone.choices(0, cell).next().filter(|_| cell != goal);
    let way: Vec<Place> =
        std::iter::successors(Some(start), next).map(|cell| alone.place(cell)).collect();
    let last = way.len() - 1;
    let ways = [(1, last), (0, last - 1), (last - 2, 2)];
    let ghosts = ways.map(|(start, goal)| Ghost { start: way[start], goal: way[goal] });
    Instance::new(
        house.width(),
        house.places().map(|place| house.is_open(place)).collect(),
        ghosts.into(),
    )
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let files = ["sample", "gen_valid10", "gen_unsolvable_order1"];
    files.map(file).into_iter().chain([reversals(), large()]).collect()
}

/// Houses as the judges have them, with more ghosts than theirs.
fn corridors(id: &'static str, of: &[(usize, usize)], large: bool) -> Survey {
    let group = |&(ghosts, count): &(usize, usize)| Group {
        id: format!("{id}.{ghosts}"),
        line: "corridors".to_owned(),
        ghosts,
        houses: Box::new(move || {
            let mut random = Random::from_seed(ghosts as u64);
            let wanted = Wanted { width: 16, height: 16, ghosts };
            (0..count).map(|_| house(wanted, &mut random).context("room")).collect()
        }),
    };
    let title = format!("Ghosts: full 16 x 16 houses{}", if large { ", crowded" } else { "" });
    Survey { id, title, groups: of.iter().map(group).collect(), large }
}

/// Maps of the benchmark's format with random obstacles, each with its agents, of which the first
/// are taken.
fn obstacles(id: &'static str, agents: &'static [usize], large: bool) -> Survey {
    const MAPS: u64 = 25;
    let groups = [10, 20].into_iter().flat_map(|percent| {
        agents.iter().map(move |&ghosts| Group {
            id: format!("{id}.{percent}.{ghosts}"),
            line: format!("{percent} % obstacles"),
            ghosts,
            houses: Box::new(move || {
                (0..MAPS).map(|seed| with_obstacles(percent, ghosts, seed)).collect()
            }),
        })
    });
    let many = if large { ", many" } else { "" };
    let title = format!("Ghosts: 32 x 32 with random obstacles, in the benchmark's format{many}");
    Survey { id, title, groups: groups.collect(), large }
}

fn with_obstacles(percent: usize, agents: usize, seed: u64) -> anyhow::Result<Instance> {
    const SIDE: usize = 32;
    let mut random = Random::from_seed(seed);
    let mut places: Vec<usize> = (0..SIDE * SIDE).collect();
    random.shuffle(&mut places);
    let shut = &places[..SIDE * SIDE * percent / 100];
    let mut map = vec![b'.'; SIDE * SIDE];
    shut.iter().for_each(|&place| map[place] = b'@');
    let cells = Cells::new(SIDE, SIDE, |x, y| map[y * SIDE + x] == b'.').context("few cells")?;
    let mut starts = largest_part(&cells);
    let mut goals = starts.clone();
    random.shuffle(&mut starts);
    random.shuffle(&mut goals);
    let mut text = format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n");
    for row in map.chunks(SIDE) {
        let _ = writeln!(text, "{}", String::from_utf8_lossy(row));
    }
    let mut scenario = "version 1\n".to_owned();
    for (&start, &goal) in starts.iter().zip(&goals) {
        let [(x, y), (to_x, to_y)] = [start, goal].map(|cell| cells.place(cell));
        let _ = writeln!(scenario, "0\trandom.map\t{SIDE}\t{SIDE}\t{x}\t{y}\t{to_x}\t{to_y}\t0");
    }
    moving_ai::read(text.as_bytes(), scenario.as_bytes(), Some(agents))
        .map_err(|fault| anyhow::anyhow!("a map or a scenario of ours: {fault:?}"))
}

/// The cells of the largest part that is connected.
fn largest_part(cells: &Cells) -> Vec<Cell> {
    let mut largest = Vec::new();
    let mut met = vec![false; cells.len()];
    let mut distances = vec![0; cells.len()];
    for from in 0..cells.len() {
        if met[from] {
            continue;
        }
        cells.distances(from as Cell, &mut distances);
        let part: Vec<Cell> = (0..cells.len())
            .filter(|&cell| distances[cell] != UNREACHABLE)
            .map(|cell| cell as Cell)
            .collect();
        part.iter().for_each(|&cell| met[usize::from(cell)] = true);
        if part.len() > largest.len() {
            largest = part;
        }
    }
    largest
}

pub(crate) fn surveys() -> Vec<Survey> {
    vec![
        corridors("ghosts.full", &[(4, 200), (5, 100), (6, 100)], false),
        corridors("ghosts.crowded", &[(8, 25), (10, 25), (12, 25)], true),
        obstacles("ghosts.random", &[10, 20, 30, 40, 50, 60], false),
        obstacles("ghosts.throng", &[100, 150, 200, 250, 300], true),
    ]
}
