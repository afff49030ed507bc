//! A row of labels that turns left or right, or whose first two are exchanged (LRX): all orders by
//! the number of moves, in batches as numpy or a GPU would expand them, and a way to a farthest one.
//! `cargo run --release -p fewest-core --example batches -- [labels]`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use fewest_core::seam::{Batch, Full, Properties, SearchSpace};
use fewest_core::search::LayeredSearch;

/// A number of labels; an order of them has four bits for each.
pub(crate) struct Lrx(pub(crate) u32);

impl Lrx {
    /// All moves of a whole block: the same instructions for each state, without a branch.
    pub(crate) fn expand(&self, block: &[u64]) -> Vec<u64> {
        let (last, all) = (4 * (self.0 - 1), u64::MAX >> (64 - 4 * self.0));
        let left = block.iter().map(|row| row >> 4 | (row & 15) << last);
        let right = block.iter().map(|row| row << 4 & all | row >> last);
        let exchanged = block.iter().map(|row| row & !255 | (row & 15) << 4 | row >> 4 & 15);
        left.chain(right).chain(exchanged).collect()
    }
}

impl SearchSpace<u64> for Lrx {
    fn properties(&self) -> Properties {
        let mut properties = Properties::new(4 * self.0);
        (properties.is_undirected, properties.has_predecessors) = (true, true);
        properties
    }
    fn initial(&self, emit: &mut dyn FnMut(u64)) {
        emit((0..u64::from(self.0)).map(|label| label << (4 * label)).sum());
    }
    fn successors(
        &self,
        block: &[u64],
        _tags: &[u32],
        at: &mut usize,
        out: &mut Batch<u64>,
        _full: Full<'_, u64>,
    ) {
        out.extend(self.expand(&block[*at..]));
        *at = block.len();
    }
}

fn main() -> Result<(), fewest_core::Limit> {
    let labels = std::env::args().nth(1).and_then(|labels| labels.parse().ok()).unwrap_or(8);
    assert!((3..=16).contains(&labels), "3 to 16 labels");
    let space = Lrx(labels);
    let mut layers = LayeredSearch::new(&space).keep_layers().pull_layers()?;
    let (mut sizes, mut last) = (Vec::new(), 0);
    while let Some(batch) = layers.pull(65_536)? {
        sizes.resize(layers.depth() as usize + 1, layers.states());
        layers.push(&space.expand(&batch))?;
        last = batch[0];
    }
    let plan = layers.plan_to(last)?.unwrap_or_default();
    println!("orders by the number of moves: {sizes:?}; a way to the last one: {plan:x?}");
    Ok(())
}
