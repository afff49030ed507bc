//! Random instances in the contest format.

use std::ops::RangeInclusive;

use proptest::prelude::*;

/// Texts of instances of at most `columns` columns and `rows` rows, with a number of ghosts in
/// `ghosts`. Walls are anywhere, so maps have cycles, openings and several components.
pub(crate) fn texts(
    [columns, rows]: [usize; 2],
    ghosts: RangeInclusive<usize>,
) -> impl Strategy<Value = String> {
    let (least, most) = ghosts.into_inner();
    let has_room = move |size: &(usize, usize)| size.0 * size.1 >= 2 * least;
    let size = (1..=columns, 1..=rows).prop_filter("a cell for each start and goal", has_room);
    size.prop_flat_map(move |(width, height)| {
        let cells = width * height;
        let open = prop::sample::select(vec![5u32, 7, 9]).prop_flat_map(move |tenths| {
            prop::collection::vec((0u32..10).prop_map(move |roll| roll < tenths), cells)
        });
        let order = Just((0..cells).collect::<Vec<usize>>()).prop_shuffle();
        (Just(width), open, order, least..=most.min(cells / 2))
    })
    .prop_map(|(width, open, order, ghosts)| {
        let mut map: Vec<char> = open.iter().map(|&open| if open { ' ' } else { '#' }).collect();
        for (ghost, cells) in order.chunks_exact(2).take(ghosts).enumerate() {
            map[cells[0]] = char::from(b'a' + ghost as u8);
            map[cells[1]] = char::from(b'A' + ghost as u8);
        }
        let rows: String =
            map.chunks(width).map(|row| row.iter().collect::<String>() + "\n").collect();
        format!("{width} {} {ghosts}\n{rows}", map.len() / width)
    })
}
