//! Random houses, as text.

use proptest::prelude::*;

/// The text of a house of up to `side` cells a side with up to `ghosts` ghosts: walls anywhere, so with cycles, openings
/// and parts that are cut off.
pub(crate) fn texts(side: usize, ghosts: usize) -> impl Strategy<Value = String> {
    texts_of([side, side], 1, ghosts)
}

/// The text of such a house of up to so many columns and rows, with no fewer ghosts than `least` and no more than `most`.
pub(crate) fn texts_of([columns, rows]: [usize; 2], least: usize, most: usize) -> impl Strategy<Value = String> {
    let size = (1..=columns, 1..=rows)
        .prop_filter("room for the ghosts and their goals", move |(width, height)| width * height >= 2 * least);
    size.prop_flat_map(move |(width, height)| {
        let cells = width * height;
        let open = prop::sample::select(vec![5u32, 7, 9])
            .prop_flat_map(move |tenths| prop::collection::vec((0u32..10).prop_map(move |roll| roll < tenths), cells));
        let order = Just((0..cells).collect::<Vec<usize>>()).prop_shuffle();
        (Just(width), open, order, least..=most.min(cells / 2))
    })
    .prop_map(|(width, open, order, ghosts)| {
        let mut map: Vec<char> = open.iter().map(|&open| if open { ' ' } else { '#' }).collect();
        for (ghost, places) in order.chunks_exact(2).take(ghosts).enumerate() {
            map[places[0]] = char::from(b'a' + ghost as u8);
            map[places[1]] = char::from(b'A' + ghost as u8);
        }
        let rows: String = map.chunks(width).map(|row| row.iter().collect::<String>() + "\n").collect();
        format!("{width} {} {ghosts}\n{rows}", map.len() / width)
    })
}
