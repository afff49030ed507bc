//! The mirror image of a board, left and right exchanged.

use super::{Board, CELLS, COLUMNS, code};

/// Cell by cell. The first cell of what is two wide was its left one, and is to be so again.
pub fn image(board: u64) -> u64 {
    let mut image = 0;
    for cell in 0..CELLS {
        let to = cell + COLUMNS - 1 - 2 * (cell % COLUMNS);
        match board.code(cell) {
            code::BLANK => {}
            4 => image.set(to, 5),
            5 => image.set(to, 4),
            6 => (image.set(to, 7), image.set(to - 1, 6)).1,
            // The right one above has been seen to; those below stay.
            7 if cell >= COLUMNS && matches!(board.code(cell - COLUMNS), 6 | 7) => image.set(to, 7),
            7 => {}
            code => image.set(to, code),
        }
    }
    image
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn an_image_is_the_drawing_backwards() {
        let drawing = "aCCb/aCCb/ddce/gfce/hi..";
        let backwards: Vec<String> = drawing.split('/').map(|row| row.chars().rev().collect()).collect();
        assert_eq!(image(read(drawing)), read::<u64>(&backwards.join("/")));
        let other = "CCab/CCab/ddee/gf../hijk";
        assert_eq!(image(image(read(other))), read::<u64>(other));
    }
}
