//! The smallest state space: from 1 to a target by adding 1 or doubling, in the fewest moves.
//! `cargo run --release -p fewest-core --example numbers`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::ops::ControlFlow;

use fewest_core::StateSpace;
use fewest_core::search::{Search, Unsupported};
use fewest_core::space::moves_along;

struct Numbers {
    /// At most 2^31, so that no number overflows.
    target: u32,
}

impl StateSpace for Numbers {
    type State = u32;
    type Move = &'static str;

    fn initial(&self, mut emit: impl FnMut(u32)) {
        emit(1);
    }

    fn is_goal(&self, number: u32) -> bool {
        number == self.target
    }

    fn successors<B>(
        &self,
        number: u32,
        _last: Option<&'static str>,
        mut emit: impl FnMut(&'static str, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if number >= self.target {
            return ControlFlow::Continue(());
        }
        emit("add 1", number + 1)?;
        emit("double", number * 2)
    }
}

fn main() -> Result<(), Unsupported> {
    let space = Numbers { target: 100 };
    let outcome = Search::new(&space).run()?;
    let moves = outcome.optimal().and_then(|plan| moves_along(&space, plan));
    println!("{:?} moves: {:?}", outcome.moves(), moves);
    Ok(())
}
