//! Random mazes.

use fewest_wall_pusher::instance::Edge;
use fewest_wall_pusher::{Instance, Size, Walls};
use proptest::prelude::*;

/// Mazes of at most these numbers of rows and columns.
pub(crate) fn mazes(rows: usize, columns: usize) -> impl Strategy<Value = Instance> {
    (1..=rows, 1..=columns)
        .prop_flat_map(|(rows, columns)| of_size(Size::new(rows, columns).expect("a size")))
}

/// Mazes of one size. The density of inner walls and that of gaps vary.
pub(crate) fn of_size(size: Size) -> impl Strategy<Value = Instance> {
    let edges = Edge::all(size).count();
    let walls = prop::sample::select(vec![3u32, 5, 6, 7, 8]).prop_flat_map(move |tenths| {
        prop::collection::vec((0u32..10).prop_map(move |roll| roll < tenths), edges)
    });
    let border = prop::sample::select(vec![10u32, 9, 9, 8, 5]).prop_flat_map(move |tenths| {
        prop::collection::vec((0u32..10).prop_map(move |roll| roll < tenths), edges)
    });
    (walls, border, any::<prop::sample::Index>()).prop_map(move |(inner, border, start)| {
        let mut walls = Walls::default();
        for (index, edge) in Edge::all(size).enumerate() {
            walls.set(edge, if edge.is_border(size) { border[index] } else { inner[index] });
        }
        let start = size.cell(start.index(size.len()));
        Instance::new(size, walls, start).expect("a start inside")
    })
}
