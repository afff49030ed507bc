//! A complete puzzle: the 2x2x2 cube. `cargo run --release -p fewest-core --example cube`
//!
//! One corner never moves, as a turn of its three faces is a turn of the opposite face and of the
//! whole cube. The other seven corners can be in any order, and be twisted in any way in which the
//! twists add up to whole turns: 7! * 3^6 = 3,674,160 states. A turn of a face by 90 or 180 degrees
//! is one move (half-turn metric).
#![allow(
    unreachable_pub,
    missing_docs,
    dead_code,
    reason = "tests and benchmarks include it as a module"
)]

use std::ops::ControlFlow;

use fewest_core::encoding::PermutationRanks;
use fewest_core::outcome::Stopped;
use fewest_core::search::Search;
use fewest_core::{Goals, Predecessors, Pruning, Ranked, StateSpace, Tags};

/// The number of corners that move.
const CORNERS: u64 = 7;

/// A state has for each place the number of the corner there, in 4 bits from bit 0, and its twist
/// in thirds of a turn, in 2 bits from bit 28.
///
/// The places are the corners of the upper face and then of the lower face, both clockwise from the
/// front right corner: UFR, UFL, UBL, UBR, DFR, DFL, DBR. The corner DBL does not move.
const SOLVED: u64 = 0x654_3210;

/// The first bit of the twists.
const TWISTS: u64 = 4 * CORNERS;

/// A quarter turn: for each place, the place from which its corner comes, and how much the turn
/// twists that corner.
struct Turn {
    from: [u64; CORNERS as usize],
    twists: [u64; CORNERS as usize],
}

/// Clockwise turns of the upper, the right and the front face.
const QUARTER_TURNS: [Turn; 3] = [
    Turn { from: [3, 0, 1, 2, 4, 5, 6], twists: [0; 7] },
    Turn { from: [4, 1, 2, 0, 6, 5, 3], twists: [2, 0, 0, 1, 1, 0, 2] },
    Turn { from: [1, 5, 2, 3, 0, 4, 6], twists: [1, 2, 0, 0, 2, 1, 0] },
];

impl Turn {
    fn apply(&self, state: u64) -> u64 {
        let mut turned = 0;
        for (place, (&from, &twist)) in (0..).zip(self.from.iter().zip(&self.twists)) {
            let corner = state >> (4 * from) & 15;
            let twist = (state >> (TWISTS + 2 * from) & 3) + twist;
            turned |= corner << (4 * place);
            turned |= (if twist < 3 { twist } else { twist - 3 }) << (TWISTS + 2 * place);
        }
        turned
    }
}

/// The number of a move: three times the number of the face, plus 0, 1 or 2 for a turn by 90, 180
/// or 270 degrees.
pub type Move = u8;

/// The moves in the notation of Singmaster.
pub const NAMES: [&str; 9] = ["U", "U2", "U'", "R", "R2", "R'", "F", "F2", "F'"];

pub struct Cube {
    start: u64,
    orders: PermutationRanks,
}

impl Cube {
    /// The solved cube after some moves.
    pub fn after(moves: &[Move]) -> Self {
        let start = moves.iter().fold(SOLVED, |state, &by| {
            (0..=by % 3).fold(state, |state, _| QUARTER_TURNS[usize::from(by / 3)].apply(state))
        });
        Self { start, orders: PermutationRanks::new(CORNERS as u32).expect("2 to 16 corners") }
    }
}

impl StateSpace for Cube {
    type State = u64;
    type Move = Move;

    /// Two successive turns of a face are one turn of it.
    const PRUNING: Pruning<Move> =
        Pruning::TwoStep(Tags { to: |by| by.into(), from: |tag| tag as Move });

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    fn is_goal(&self, state: u64) -> bool {
        state == SOLVED
    }

    fn successors<B>(
        &self,
        state: u64,
        last: Option<Move>,
        mut emit: impl FnMut(Move, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (face, turn) in (0..).zip(&QUARTER_TURNS) {
            if last.is_some_and(|last| last / 3 == face) {
                continue;
            }
            let mut next = state;
            for quarters in 0..3 {
                next = turn.apply(next);
                emit(3 * face + quarters, next)?;
            }
        }
        ControlFlow::Continue(())
    }
}

// The opposite turn undoes a turn.
impl Predecessors for Cube {
    const UNDIRECTED: bool = true;
}

impl Goals for Cube {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(SOLVED);
    }
}

/// The number of ways to twist all corners but the last, whose twist follows from the others.
const TWIST_COUNT: u64 = 729;

impl Ranked for Cube {
    fn ranks(&self) -> Option<u64> {
        Some(2 * self.orders.count() * TWIST_COUNT)
    }

    /// The rank of the order, which is the same for an even and an odd one; whether it is odd; and
    /// the twists as a number in base 3.
    fn rank(&self, state: u64) -> u64 {
        let order = state & ((1 << TWISTS) - 1);
        let rank = self.orders.rank(order);
        let is_odd = u64::from(self.orders.unrank(rank, true) == order);
        let twists =
            (0..CORNERS - 1).fold(0, |rank, place| 3 * rank + (state >> (TWISTS + 2 * place) & 3));
        (2 * rank + is_odd) * TWIST_COUNT + twists
    }

    fn unrank(&self, rank: u64) -> u64 {
        let (order, mut rest) = (rank / TWIST_COUNT, rank % TWIST_COUNT);
        let mut state = self.orders.unrank(order / 2, order % 2 == 1);
        let mut sum = 0;
        for place in (0..CORNERS - 1).rev() {
            state |= (rest % 3) << (TWISTS + 2 * place);
            sum += rest % 3;
            rest /= 3;
        }
        state | ((3 - sum % 3) % 3) << (TWISTS + 2 * (CORNERS - 1))
    }
}

#[allow(clippy::print_stdout, reason = "the example prints its results")]
fn main() -> Result<(), Stopped> {
    let solved = Cube::after(&[]);
    let all = Search::new(&solved).ranked().explore(|_, _| ControlFlow::Continue(()));
    println!("states by the number of moves from the solved cube: {:?}", all.layers);

    let cube = Cube::after(&[0, 3, 7, 2, 4, 6, 1, 5, 8, 0, 3, 6]);
    if let Some(plan) = Search::new(&cube).predecessors().goals().ranked().plan()? {
        let names: Vec<_> = plan.into_iter().map(|by| NAMES[usize::from(by)]).collect();
        println!("a mixed cube in {} moves: {}", names.len(), names.join(" "));
    }
    Ok(())
}
