//! Exploration with a visited set in memory and two layers at a time.

use super::{Exploration, FoldedExploration};
use crate::budget::{Budget, Limit, Meter, go_on};
use crate::search::layers::{Forward, Layer, first_layer, next_layer};
use crate::space::StateSpace;
use crate::symmetry::Symmetric;
use crate::visited::{Table, Visited};

/// Counts what can be reached from the start, goals or not. Keeps the visited set and two layers.
pub fn explore<V: Visited<S>, S: StateSpace>(space: &S, budget: &Budget) -> Exploration {
    explore_with::<V, S>(space, budget, |_, _| {})
}

/// The same, and shows `visit` each state with its depth, once: layer by layer, within a layer in the order of the search.
pub fn explore_with<V: Visited<S>, S: StateSpace>(
    space: &S,
    budget: &Budget,
    mut visit: impl FnMut(u32, S::State),
) -> Exploration {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    let mut walk = || -> Result<(), Limit> {
        let mut visited = V::new(space, meter.memory())?;
        let mut layer = Layer::new(meter.memory());
        let initial = |emit: &mut dyn FnMut(S::State)| space.initial(emit);
        first_layer(space, initial, &mut visited, &mut meter, &mut layer)?;
        while !layer.is_empty() {
            layer.iter().for_each(|state| visit(layers.len() as u32, state));
            layers.push(layer.len() as u64);
            let mut next = Layer::new(meter.memory());
            next_layer(Forward, space, &layer, &mut visited, &mut meter, &mut next)?;
            meter.waiting((layer.len() + next.len()) as u64);
            layer = next;
        }
        Ok(())
    };
    let end = walk();
    Exploration { layers, limit: end.err(), stats: meter.stats() }
}

/// Counts what can be reached from the start of an undirected space, a state and its mirror image visited as one.
///
/// The component of the start may be its own mirror image, or the image a component apart; the number of its states
/// differs by a factor of almost two. Which it is shows on the way: each orbit remembers which of its two states was
/// reached first. Reaching the other one too, or a state that is its own image, joins the component to its image; if
/// neither ever happens, they are apart.
pub fn explore_folded<S: Symmetric + crate::space::Undirected>(space: &S, budget: &Budget) -> FoldedExploration {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    let (mut symmetric, mut own_image) = (0, false);
    let mut walk = || -> Result<(), Limit> {
        let mut met =
            Met { reached: Table::new(meter.memory())?, symmetric: &mut symmetric, own_image: &mut own_image };
        let mut layer = Layer::new(meter.memory());
        let mut started = Ok(());
        space.initial(|state| started = started.and(met.enter(space, state, &mut layer, &mut meter)));
        started?;
        while !layer.is_empty() {
            layers.push(layer.len() as u64);
            let mut next = Layer::new(meter.memory());
            for state in layer.iter() {
                meter.expand()?;
                let mut end = Ok(());
                let _ = space.successors(state, None, |_, successor| {
                    go_on(&mut end, || {
                        meter.generate()?;
                        met.enter(space, successor, &mut next, &mut meter)
                    })
                });
                end?;
            }
            meter.waiting((layer.len() + next.len()) as u64);
            layer = next;
        }
        Ok(())
    };
    let end = walk();
    let orbits = Exploration { layers, limit: end.err(), stats: meter.stats() };
    let states = if own_image { 2 * orbits.states() - symmetric } else { orbits.states() };
    FoldedExploration { orbits, states, own_image }
}

/// The orbits met.
struct Met<'a, S: StateSpace> {
    /// By canonical form: whether it was the form itself that was reached, or its image.
    reached: Table<S::State, bool>,
    /// Orbits of one state.
    symmetric: &'a mut u64,
    own_image: &'a mut bool,
}

impl<S: Symmetric> Met<'_, S> {
    fn enter(
        &mut self,
        space: &S,
        state: S::State,
        layer: &mut Layer<S::State>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        let image = space.image(state);
        let (&mut itself, new) = self.reached.entry(state.min(image), state <= image)?;
        if new {
            layer.push(state)?;
            *self.symmetric += u64::from(state == image);
        } else {
            meter.duplicate();
        }
        *self.own_image |= state == image || itself != (state < image);
        Ok(())
    }
}
