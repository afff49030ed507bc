//! Exploration with a visited set in memory and two layers at a time.

use crate::budget::{Budget, Limit, Meter};
use crate::search::layers::{Forward, Layer, first_layer, next_layer};
use crate::space::StateSpace;
use crate::stats::Stats;
use crate::visited::Visited;

/// The states that can be reached, counted by their depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// How many states lie at depth 0, 1, 2 and so on. The last one is the eccentricity of the start.
    pub layers: Vec<u64>,
    /// What ended the exploration before all states were met; the layers are complete up to there.
    pub limit: Option<Limit>,
    /// The work.
    pub stats: Stats,
}

impl Exploration {
    /// All states counted.
    pub fn states(&self) -> u64 {
        self.layers.iter().sum()
    }
}

/// Counts what can be reached from the start, goals or not. Keeps the visited set and two layers.
pub fn explore<V: Visited<S>, S: StateSpace>(space: &S, budget: &Budget) -> Exploration {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    let end = count::<V, S>(space, &mut meter, &mut layers);
    Exploration { layers, limit: end.err(), stats: meter.stats() }
}

fn count<V: Visited<S>, S: StateSpace>(space: &S, meter: &mut Meter<'_>, layers: &mut Vec<u64>) -> Result<(), Limit> {
    let mut visited = V::new(space, meter.memory())?;
    let mut layer = Layer::new(meter.memory());
    let initial = |emit: &mut dyn FnMut(S::State)| space.initial(emit);
    first_layer(space, initial, &mut visited, meter, &mut layer)?;
    while !layer.is_empty() {
        layers.push(layer.len() as u64);
        let mut next = Layer::new(meter.memory());
        next_layer(Forward, space, &layer, &mut visited, meter, &mut next)?;
        meter.waiting((layer.len() + next.len()) as u64);
        layer = next;
    }
    Ok(())
}
