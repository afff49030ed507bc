//! Programs that a user writes on the library, beside the same by hand and on other libraries.

use std::hash::Hash;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::rc::Rc;

use anyhow::ensure;
use fewest_bench_variants::layers::{in_a_hash_set, in_bits};
use fewest_bench_variants::patterns::{Idastar, table};
use fewest_core::StateSpace;
use fewest_core::budget::Budget;
use fewest_core::explore::Exploration;
use fewest_core::outcome::Outcome;
use fewest_core::pattern::Database;
use fewest_core::search::Search;
use fewest_core::space::from_fn;
use fewest_core::symmetry::Folded;

use super::case::{Case, Work};
use super::measure::Comparison;
use super::permutations;
use super::tiles::{FIFTEEN, Grid, Patterns, Puzzle, Tiles, patterns};

#[allow(dead_code, reason = "the benchmark does not run its `main`")]
#[path = "../../../crates/core/examples/eight_puzzle.rs"]
pub(super) mod eight_puzzle;

#[allow(dead_code, reason = "the benchmark does not run its `main`")]
#[path = "../../../crates/core/examples/peg_solitaire.rs"]
mod peg_solitaire;

/// All layers of a space, and perhaps a plan.
pub(super) struct Layered<S: 'static> {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) space: &'static S,
    /// The numbers of states and of layers.
    pub(super) expected: (u64, usize),
    /// The number of moves of the plan, if one is searched for.
    pub(super) moves: Option<u32>,
}

impl<S: StateSpace<State: Hash> + Send + 'static> Layered<S> {
    fn check(&self) -> impl Fn(&[u64]) -> anyhow::Result<Work> + Clone + 'static {
        let expected = self.expected;
        move |layers: &[u64]| {
            let found = (layers.iter().sum::<u64>(), layers.len());
            ensure!(found == expected, "found {found:?} states and layers, expected {expected:?}");
            Ok(Work { states: Some(found.0), ..Work::default() })
        }
    }

    pub(super) fn comparison(
        self,
        ours: impl Fn(&'static S) -> (Exploration, Option<Outcome<Vec<S::State>>>) + 'static,
        by_hand: impl Fn(&'static S) -> Vec<u64> + 'static,
    ) -> Comparison {
        let Self { name, title, space, moves, .. } = self;
        let (check, check_ours) = (self.check(), self.check());
        let id = |method: &str| format!("library.{name}.{method}");
        #[allow(unused_mut, reason = "there are no peers without the feature")]
        let mut cases = vec![
            Case::new(id("by-hand"), "by hand", move || by_hand(space), move |all| check(all))
                .baseline(),
            Case::new(
                id("ours"),
                "ours",
                move || ours(space),
                move |(all, plan)| {
                    let found = plan.as_ref().and_then(Outcome::cost);
                    ensure!(found == moves, "found a plan of {found:?} moves, expected {moves:?}");
                    Ok(Work { bytes: Some(all.stats.bytes), ..check_ours(&all.layers)? })
                },
            ),
        ];
        #[cfg(feature = "peers")]
        cases.extend(super::peers::explorations(&id(""), space, self.expected.0));
        let title = title.to_owned();
        Comparison { title, cases, isolated: true, large: true, ..Comparison::default() }
    }
}

pub(super) fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// What each of 25 buttons toggles.
fn lights() -> [u32; 25] {
    std::array::from_fn(|button| {
        let (x, y) = (button % 5, button / 5);
        let near = |other: &usize| (other % 5).abs_diff(x) + (other / 5).abs_diff(y) <= 1;
        (0..25).filter(near).map(|other| 1 << other).sum()
    })
}

fn lights_out() -> Comparison {
    let toggled = lights();
    let goal = [0, 3, 7, 11, 13, 17, 20, 24].iter().fold(0, |on, &button| on ^ toggled[button]);
    let press = move |on: u32| {
        (0..).zip(toggled).map(move |(button, toggled): (u8, u32)| (button, on ^ toggled))
    };
    let space = leak(
        from_fn([0_u32], press, move |on| on == goal).undirected().with_goals([goal]).with_ranks(
            1 << 25,
            u64::from,
            |rank| rank as u32,
        ),
    );
    let (name, title) = ("lights-out", "Lights Out 5x5: all layers, and one plan");
    let layered = Layered { name, title, space, expected: (1 << 23, 16), moves: Some(8) };
    layered.comparison(
        |space| {
            let search = || Search::new(space).predecessors().goals().ranked();
            (search().count_layers(|_, _| ControlFlow::Continue(())), Some(search().run()))
        },
        move |_| in_bits(1 << 25, 0, |on| toggled.map(|toggled| on ^ toggled)),
    )
}

fn solitaire() -> Comparison {
    let space = leak(Folded::new(leak(peg_solitaire::Solitaire::new())));
    let (name, title) = ("pegs", "Peg solitaire: all positions, up to symmetry");
    let layered = Layered { name, title, space, expected: (23_475_688, 32), moves: None };
    layered.comparison(
        |space| (Search::new(space).count_layers(|_, _| ControlFlow::Continue(())), None),
        |space| {
            let mut start = 0;
            space.initial(|pegs| start = pegs);
            in_a_hash_set(start, |pegs| successors(space, pegs))
        },
    )
}

/// All successors of a state.
pub(super) fn successors<S: StateSpace>(space: &S, state: S::State) -> Vec<S::State> {
    let mut next = Vec::new();
    let _ = space.successors::<()>(state, None, |_, state| {
        next.push(state);
        ControlFlow::Continue(())
    });
    next
}

/// The nine turns of three faces of a cube of 2x2x2 as permutations of its 24 stickers: the place
/// from which the sticker of a place comes.
fn turns() -> Vec<[u8; 24]> {
    // A sticker is on a corner, of which each bit is a side, and faces along an axis.
    let quarter = |axis: usize| -> [u8; 24] {
        let (one, other) = ((axis + 1) % 3, (axis + 2) % 3);
        std::array::from_fn(|place| {
            let (corner, facing) = (place / 3, place % 3);
            if corner >> axis & 1 == 0 {
                return place as u8;
            }
            let (a, b) = (corner >> one & 1, corner >> other & 1);
            let from = 1 << axis | b << one | (1 - a) << other;
            let facing = if facing == one {
                other
            } else if facing == other {
                one
            } else {
                axis
            };
            (3 * from + facing) as u8
        })
    };
    let after = |one: &[u8; 24], other: &[u8; 24]| one.map(|place| other[usize::from(place)]);
    let all = |axis| {
        let one = quarter(axis);
        let two = after(&one, &one);
        [one, two, after(&two, &one)]
    };
    (0..3).flat_map(all).collect()
}

fn cube() -> anyhow::Result<Comparison> {
    let turns: &'static [[u8; 24]] = turns().leak();
    // Three bits for the colour of each sticker.
    let solved =
        (0..24).map(|place| (place % 3 * 2 + (((place / 3) >> (place % 3)) & 1)) << (3 * place));
    let solved: u128 = solved.sum();
    let turned = |cube: u128| {
        turns.iter().map(move |from| {
            let place = |(place, &from): (u32, &u8)| (cube >> (3 * from) & 7) << (3 * place);
            (0..).zip(from).map(place).fold(0, |cube, sticker| cube | sticker)
        })
    };
    let space = leak(
        from_fn([solved], move |cube| turned(cube).map(|cube| ((), cube)), |_| false).undirected(),
    );
    let (name, title) = ("cube", "The 2x2x2 cube by 24 stickers: all layers");
    let layered = Layered { name, title, space, expected: (3_674_160, 12), moves: None };
    let mut comparison = layered.comparison(
        |space| (Search::new(space).count_layers(|_, _| ControlFlow::Continue(())), None),
        move |_| in_a_hash_set(solved, turned),
    );
    comparison.cases.extend(permutations::cube()?);
    Ok(comparison)
}

/// The larger partition of the 15-puzzle: six, six and three tiles.
const LARGE: [&[u8]; 3] = [&[1, 4, 5, 8, 9, 12], &[2, 3, 6, 7, 10, 11], &[13, 14, 15]];

/// The sum of all distances of each table is the same for all programs.
fn sums_of<'d>(databases: impl IntoIterator<Item = &'d Database>) -> Vec<u64> {
    let sum = |database: &Database| database.known().map(|(_, moves)| u64::from(moves)).sum();
    databases.into_iter().map(sum).collect()
}

fn databases(name: &str, partition: [&'static [u8]; 3], expected: [u64; 3]) -> Comparison {
    let check = move |found: &Vec<u64>| {
        ensure!(found == &expected, "found sums of distances {found:?}, expected {expected:?}");
        Ok(Work::default())
    };
    let by_hand = move || {
        let sum = |tiles: &[u8]| {
            table(tiles).into_iter().filter(|&moves| moves < u8::MAX).map(u64::from).sum()
        };
        partition.map(sum).to_vec()
    };
    let ours = |threads: usize, id: &str, about: &str| {
        let build = move || {
            let threads = NonZero::new(threads).expect("a thread");
            let budget = Budget::unlimited().with_threads(threads);
            let built = patterns(&Grid::new(4, 4), partition, &budget).expect("memory");
            (
                sums_of(built.parts().iter().map(|(_, database)| database)),
                budget.memory().peak_bytes(),
            )
        };
        let check =
            move |found: &(Vec<u64>, u64)| Ok(Work { bytes: Some(found.1), ..check(&found.0)? });
        Case::new(format!("library.{name}.{id}"), about, build, check)
    };
    let cases = vec![
        Case::new(format!("library.{name}.by-hand"), "by hand", by_hand, check).baseline(),
        ours(1, "ours", "ours"),
        ours(2, "ours.2", "ours, 2 threads"),
    ];
    let title = format!("15-puzzle: pattern databases {name}, built");
    Comparison { title, cases, isolated: true, large: true, ..Comparison::default() }
}

/// Korf's first ten with databases of 5, 5 and 5 tiles, which are built before.
fn korf_ten() -> anyhow::Result<Comparison> {
    let puzzles: Rc<[Puzzle]> = Puzzle::all()?.into_iter().take(10).collect();
    let nodes = |puzzles: &[Puzzle], solve: &dyn Fn(&Puzzle) -> (Option<u32>, u64)| {
        let solve = |puzzle: &Puzzle| {
            let (moves, nodes) = solve(puzzle);
            ensure!(moves == Some(puzzle.moves), "found {moves:?}, expected {}", puzzle.moves);
            Ok(nodes)
        };
        puzzles.iter().map(solve).sum::<anyhow::Result<u64>>()
    };
    let check = |nodes: &anyhow::Result<u64>| match nodes {
        // The same nodes for both.
        Ok(nodes @ 19_865_970) => Ok(Work { generated: Some(*nodes), ..Work::default() }),
        other => anyhow::bail!("found {other:?}"),
    };
    let tables = std::cell::OnceCell::new();
    let of_hand = Rc::clone(&puzzles);
    let by_hand = move || {
        let tables: &[Vec<u8>; 3] = tables.get_or_init(|| FIFTEEN.map(table));
        nodes(&of_hand, &|puzzle| {
            let patterns = std::array::from_fn(|i| (FIFTEEN[i], &*tables[i]));
            let mut search = Idastar::<3>::new(puzzle.board, patterns);
            (Some(search.solve()), search.generated)
        })
    };
    let built = std::cell::OnceCell::new();
    let ours = move || {
        let build = || patterns(&Grid::new(4, 4), FIFTEEN, &Budget::unlimited()).expect("memory");
        let patterns: &Patterns<3> = built.get_or_init(build);
        nodes(&puzzles, &|puzzle| {
            let tiles = Tiles::new(4, 4, puzzle.packed());
            let outcome = Search::new(&tiles).heuristic(patterns).run_without_table();
            (outcome.cost(), outcome.stats.generated)
        })
    };
    let cases = vec![
        Case::new("library.korf-ten.by-hand", "by hand", by_hand, check).baseline(),
        Case::new("library.korf-ten.ours", "ours", ours, check),
    ];
    let title = "IDA* with pattern databases on Korf's first ten".to_owned();
    Ok(Comparison { title, cases, large: true, ..Comparison::default() })
}

/// The page `docs/coming-from.md`.
fn eight_puzzle() -> Comparison {
    use eight_puzzle::{GOAL, START, distance, moves};
    let case = |name: &str, about: &str, run: fn() -> Option<usize>| {
        let check = |&found: &Option<usize>| {
            ensure!(found == Some(31), "found {found:?} moves, expected 31");
            Ok(Work::default())
        };
        Case::new(format!("library.eight-puzzle.{name}"), about, run, check)
    };
    #[allow(unused_mut, reason = "there are no peers without the feature")]
    let mut cases = vec![
        case("ours", "ours: breadth-first", || {
            let puzzle = from_fn([START], moves, |board| board == GOAL);
            Some(Search::new(&puzzle).plan().ok()??.cost() as usize)
        }),
        case("ours.both", "ours: from both ends", || {
            let puzzle = from_fn([START], moves, |board| board == GOAL);
            let puzzle = puzzle.undirected().with_goals([GOAL]);
            let plan = Search::new(&puzzle).predecessors().goals().plan();
            Some(plan.ok()??.cost() as usize)
        }),
        case("ours.astar", "ours: A*", || {
            let puzzle = from_fn([START], moves, |board| board == GOAL).undirected();
            let distance = fewest_core::heuristic::from_fn(distance);
            let search = Search::new(&puzzle).predecessors().heuristic(&distance);
            Some(search.plan().ok()??.cost() as usize)
        }),
    ];
    #[cfg(feature = "peers")]
    {
        use super::coming_from as peers;
        let peers = [
            case("pathfinding", "pathfinding::bfs", peers::by_pathfinding),
            case("pathfinding.astar", "pathfinding::astar", peers::by_astar_of_pathfinding),
            case("petgraph", "petgraph: the graph, and its astar", peers::by_petgraph),
            case("stateright", "stateright spawn_bfs", peers::by_stateright),
        ];
        cases.extend(peers.map(Case::baseline));
    }
    let title = "The 8-puzzle from a board of 31 moves".to_owned();
    Comparison { title, cases, isolated: true, large: true, ..Comparison::default() }
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let [lrx, top_spin] = permutations::rows()?;
    Ok(vec![
        eight_puzzle(),
        lights_out(),
        solitaire(),
        cube()?,
        lrx,
        top_spin,
        databases("5-5-5", FIFTEEN, [7_197_214, 7_148_784, 7_371_926]),
        databases("6-6-3", LARGE, [100_672_050, 95_032_216, 27_858]),
        korf_ten()?,
    ])
}
