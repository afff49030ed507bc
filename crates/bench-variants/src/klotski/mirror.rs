//! The mirror image of a board, with left and right exchanged.

use std::sync::LazyLock;

use super::{Board, COLUMNS, ROWS};

/// Returns the mirror image of a board. Each row is looked up in a table of the images of all rows.
pub fn image(board: u64) -> u64 {
    (0..ROWS).fold(0, |image, row| {
        let cells = board >> (ROW_BITS * row) & ((1 << ROW_BITS) - 1);
        image | IMAGES[cells as usize] << (ROW_BITS * row)
    })
}

const ROW_BITS: usize = 3 * COLUMNS;

/// The image of each possible row.
static IMAGES: LazyLock<Vec<u64>> =
    LazyLock::new(|| (0..1 << ROW_BITS).map(image_of_row).collect());

/// The mirror image of one row. The first cell of a piece of two columns is its left one, so the
/// codes of its cells are exchanged.
fn image_of_row(row: u64) -> u64 {
    let mut image = 0u64;
    for cell in 0..COLUMNS {
        let mirrored = match row.code(cell) {
            4 => 5,
            5 => 4,
            // The upper row of the large piece has codes 6 and 7. The lower row has 7 and 7.
            6 => 7,
            7 if cell > 0 && row.code(cell - 1) == 6 => 6,
            code => code,
        };
        image.set(COLUMNS - 1 - cell, mirrored);
    }
    image
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn an_image_is_the_mirrored_drawing() {
        let drawing = "aCCb/aCCb/ddce/gfce/hi..";
        let mirrored: Vec<String> =
            drawing.split('/').map(|row| row.chars().rev().collect()).collect();
        assert_eq!(image(read(drawing)), read::<u64>(&mirrored.join("/")));
        let other = "CCab/CCab/ddee/gf../hijk";
        assert_eq!(image(image(read(other))), read::<u64>(other));
    }
}
