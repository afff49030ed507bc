//! What the layered searches share: expanding a layer, in either direction, and walking back through layers.

use std::ops::ControlFlow;

use crate::budget::{Limit, Meter, go_on};
use crate::memory::SegmentedVec;
use crate::space::{Predecessors, StateSpace};
use crate::visited::{Table, Visited};

/// The states at one depth, in the order in which they were met.
pub(crate) type Layer<W> = SegmentedVec<W>;

/// Along the moves, or against them.
pub(crate) trait Direction<S: StateSpace>: Copy {
    fn neighbours<B>(self, space: &S, state: S::State, emit: impl FnMut(S::State) -> ControlFlow<B>) -> ControlFlow<B>;
}

#[derive(Clone, Copy)]
pub(crate) struct Forward;

impl<S: StateSpace> Direction<S> for Forward {
    #[inline]
    fn neighbours<B>(
        self,
        space: &S,
        state: S::State,
        mut emit: impl FnMut(S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        space.successors(state, None, |_, next| emit(next))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Backward;

impl<S: Predecessors> Direction<S> for Backward {
    #[inline]
    fn neighbours<B>(self, space: &S, state: S::State, emit: impl FnMut(S::State) -> ControlFlow<B>) -> ControlFlow<B> {
        space.predecessors(state, emit)
    }
}

/// Fills `layer` with those of `states` that are new to `visited`: depth 0.
pub(crate) fn first_layer<S: StateSpace, V: Visited<S>>(
    space: &S,
    states: impl FnOnce(&mut dyn FnMut(S::State)),
    visited: &mut V,
    meter: &mut Meter<'_>,
    layer: &mut Layer<S::State>,
) -> Result<(), Limit> {
    let mut result = Ok(());
    states(&mut |state| {
        let entered = visited.insert(space, state).and_then(|new| if new { layer.push(state) } else { Ok(()) });
        result = result.and(entered);
    });
    meter.waiting(layer.len() as u64);
    Ok(result?)
}

/// Fills `next` with the neighbours of `layer` that are new to `visited`. Where a limit ends it early, `next` holds
/// what was met until then.
pub(crate) fn next_layer<S: StateSpace, V: Visited<S>>(
    direction: impl Direction<S>,
    space: &S,
    layer: &Layer<S::State>,
    visited: &mut V,
    meter: &mut Meter<'_>,
    next: &mut Layer<S::State>,
) -> Result<(), Limit> {
    for state in layer.iter() {
        meter.expand()?;
        let mut admit = |neighbour| -> Result<(), Limit> {
            meter.generate()?;
            if visited.insert(space, neighbour)? {
                next.push(neighbour)?;
            } else {
                meter.duplicate();
            }
            Ok(())
        };
        let mut end = Ok(());
        let _ = direction.neighbours(space, state, |neighbour| go_on(&mut end, || admit(neighbour)));
        end?;
    }
    Ok(())
}

/// What is wrong with a space where a state that was met has nothing before it.
pub(crate) const NO_WAY_BACK: &str =
    "a fault of the space: its predecessors are not its successors backwards, or its successors change";

/// The chain that ends in `target`, one state a layer from those before it, the first layer's first. `before` names the
/// least state of a layer from which a move leads to the state given; a layer without one is passed over.
pub(crate) fn retrace<W: Copy>(
    layers: &[Layer<W>],
    target: W,
    mut before: impl FnMut(&Layer<W>, W) -> Result<Option<W>, Limit>,
) -> Result<Vec<W>, Limit> {
    let mut chain = vec![target];
    let mut state = target;
    for layer in layers.iter().rev() {
        if let Some(earlier) = before(layer, state)? {
            chain.push(earlier);
            state = earlier;
        }
    }
    chain.reverse();
    Ok(chain)
}

/// The least state of `layer` among the neighbours of `state` in the direction in which the layer lies.
///
/// Costs one expansion and one look at each state of the layer.
pub(crate) fn least_neighbour<S: StateSpace>(
    direction: impl Direction<S>,
    space: &S,
    layer: &Layer<S::State>,
    state: S::State,
    meter: &mut Meter<'_>,
) -> Result<Option<S::State>, Limit> {
    let mut neighbours = Table::<S::State>::new(meter.memory())?;
    let mut enter = |neighbour| -> Result<(), Limit> {
        meter.look()?;
        neighbours.entry(neighbour, ())?;
        Ok(())
    };
    let mut end = Ok(());
    let _ = direction.neighbours(space, state, |neighbour| go_on(&mut end, || enter(neighbour)));
    end?;
    let known = layer.iter().filter(|&state| neighbours.get(state).is_some());
    Ok(known.min())
}

/// The least state of `layer` from which a move leads to `state`, for spaces that do not know their predecessors.
///
/// Expands the layer once more.
pub(crate) fn least_expanding_to<S: StateSpace>(
    space: &S,
    layer: &Layer<S::State>,
    state: S::State,
    meter: &mut Meter<'_>,
) -> Result<Option<S::State>, Limit> {
    let mut least = None;
    for candidate in layer.iter() {
        if least.is_some_and(|least| least <= candidate) {
            continue;
        }
        let mut end = Ok(());
        let _ = space.successors(candidate, None, |_, next| {
            if next == state {
                least = Some(candidate);
                return ControlFlow::Break(());
            }
            go_on(&mut end, || meter.look())
        });
        end?;
    }
    Ok(least)
}
