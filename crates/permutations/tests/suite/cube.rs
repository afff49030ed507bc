//! The 2x2x2 cube without one corner.

use fewest_permutations::Permutations;

/// Clockwise turns of the upper, the right and the front face: for each place of a corner, in the
/// order UFR, UFL, UBL, UBR, DFR, DFL, DBR, the place from which its corner comes, and by how many
/// thirds of a turn that is twisted.
const TURNS: [(&str, [usize; 7], [usize; 7]); 3] = [
    ("U", [3, 0, 1, 2, 4, 5, 6], [0; 7]),
    ("R", [4, 1, 2, 0, 6, 5, 3], [2, 0, 0, 1, 1, 0, 2]),
    ("F", [1, 5, 2, 3, 0, 4, 6], [1, 2, 0, 0, 2, 1, 0]),
];

/// The three stickers of corner `c` are at the places `3 * c` to `3 * c + 2`.
pub(crate) fn cube() -> Permutations {
    TURNS.into_iter().fold(Permutations::new(21), |cube, (name, from, twists)| {
        let mut images = vec![0; 21];
        for (to, (from, twist)) in from.into_iter().zip(twists).enumerate() {
            for sticker in 0..3 {
                images[3 * from + sticker] = 3 * to + (sticker + twist) % 3;
            }
        }
        cube.generator_from_images(name, images)
    })
}
