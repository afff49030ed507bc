//! Exploration of a space and its mirror image as one, with the right count of states.

use super::Exploration;
use crate::budget::{Budget, Limit, Meter, go_on};
use crate::search::layers::Layer;
use crate::space::{StateSpace, Undirected};
use crate::symmetry::Symmetric;
use crate::visited::Table;

/// What can be reached, a state and its mirror image visited as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedExploration {
    /// The orbits, by the least depth of a state of theirs or of its image.
    pub orbits: Exploration,
    /// The states of the start's component, images that belong to it included. Of an exploration that a limit ended, those
    /// of the layers that are complete.
    pub states: u64,
    /// Whether the component is its own mirror image, as far as it was explored.
    pub own_image: bool,
}

/// Counts what can be reached from the start of an undirected space, a state and its mirror image visited as one.
///
/// The component of the start may be its own mirror image, or the image a component apart; the number of its states
/// differs by a factor of almost two. Which it is shows on the way: each orbit remembers which of its two states was
/// reached first. Reaching the other one too, or a state that is its own image, joins the component to its image; if
/// neither ever happens, they are apart. A bit an orbit, and one look-up an edge, as without it.
///
/// # Panics
/// If the space has several starts: their components may differ in this.
pub fn explore_folded<S: Symmetric + Undirected>(space: &S, budget: &Budget) -> FoldedExploration {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    // Orbits of one state.
    let mut symmetric = 0;
    let mut own_image = false;
    let mut walk = || -> Result<(), Limit> {
        let mut reached = Reached { orbits: Table::new(meter.memory())?, own_image: &mut own_image };
        let mut layer = Layer::new(meter.memory());
        let mut start = None;
        space.initial(|state| assert!(start.replace(state).is_none(), "a folded exploration has one start"));
        if let Some(start) = start {
            reached.enter(space, start, &mut layer, &mut meter)?;
        }
        while !layer.is_empty() {
            layers.push(layer.len() as u64);
            symmetric += layer.iter().filter(|&state| space.image(state) == state).count() as u64;
            let mut next = Layer::new(meter.memory());
            for state in layer.iter() {
                meter.expand()?;
                let mut end = Ok(());
                let _ = space.successors(state, None, |_, successor| {
                    go_on(&mut end, || {
                        meter.generate()?;
                        reached.enter(space, successor, &mut next, &mut meter)
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

/// What has been reached.
struct Reached<'a, S: StateSpace> {
    /// By canonical form: whether it was the form itself that came first, or its image.
    orbits: Table<S::State, bool>,
    /// Whether both states of an orbit, or one that is its own image, have been reached.
    own_image: &'a mut bool,
}

impl<S: Symmetric> Reached<'_, S> {
    fn enter(
        &mut self,
        space: &S,
        state: S::State,
        layer: &mut Layer<S::State>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        let image = space.image(state);
        let itself = state <= image;
        let (&mut first, new) = self.orbits.entry(state.min(image), itself)?;
        if new {
            layer.push(state)?;
        } else {
            meter.duplicate();
        }
        *self.own_image |= state == image || first != itself;
        Ok(())
    }
}
