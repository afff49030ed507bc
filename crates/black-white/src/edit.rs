//! Strokes of brushes on the two boards, which the picture has side by side.

use fewest_geometry::Cell;
use fewest_puzzle::edit::{Brush, Edit};

use crate::instance::{Instance, Size};

/// What can be drawn.
pub(crate) const BRUSHES: &[Brush] = &[
    Brush {
        name: "piece",
        about: "Change the colour of the pieces, on the board or on its target",
        on_edges: false,
    },
    Brush { name: "wall", about: "Make the cells walls, or remove them", on_edges: false },
];

impl Edit for Instance {
    fn edit(&self, brush: &str, stroke: &[Cell]) -> Result<Self, String> {
        let size = self.size();
        // One column for the arrow is between the boards.
        let right = size.columns() as i32 + 1;
        let on_target = |cell: &Cell| Cell { column: cell.column - right, ..*cell };
        let of_board: Vec<Cell> =
            stroke.iter().copied().filter(|&cell| size.contains(cell)).collect();
        let of_target: Vec<Cell> =
            stroke.iter().map(on_target).filter(|&cell| size.contains(cell)).collect();
        let mut walls = self.walls().to_vec();
        let mut pieces = [self.start().to_vec(), self.target().to_vec()];
        let is_target = of_board.is_empty();
        let cells = if is_target { &of_target } else { &of_board };
        let first = size.index(*cells.first().ok_or("the stroke is not on the boards")?);
        match brush {
            "piece" => {
                let board = &mut pieces[usize::from(is_target)];
                let black = !board[first];
                let indices = cells.iter().map(|&cell| size.index(cell));
                indices.filter(|&index| !walls[index]).for_each(|index| board[index] = black);
            }
            "wall" => {
                let wall = !walls[first];
                for index in cells.iter().map(|&cell| size.index(cell)) {
                    walls[index] = wall;
                    pieces.iter_mut().for_each(|board| board[index] = false);
                }
            }
            _ => return Err(format!("no brush `{brush}`")),
        }
        let [start, target] = pieces;
        let edited = Instance::with_walls(size, walls, start, target);
        edited.ok_or_else(|| "a piece cannot be on a wall".to_owned())
    }

    /// Boards with white pieces only.
    fn blank(&self, rows: usize, columns: usize) -> Result<Self, String> {
        let most = Size::MAX_SIDE;
        let size = Size::new(rows, columns);
        let size = size.ok_or_else(|| format!("a board has from 1x1 to {most}x{most} cells"))?;
        let white = vec![false; size.len()];
        Instance::new(size, white.clone(), white).ok_or_else(|| "there is no such board".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(brush: &str, cells: &[(i32, i32)]) -> Result<String, String> {
        let size = Size::new(1, 3).expect("a size");
        let boards = Instance::read(b"100 001", size).next().expect("boards").expect("valid");
        let cells: Vec<Cell> = cells.iter().map(|&(row, column)| Cell { row, column }).collect();
        boards.edit(brush, &cells).map(|boards| boards.to_string())
    }

    #[test]
    fn strokes_change_pieces_of_both_boards_and_walls() {
        for (brush, cells, expected) in [
            ("piece", &[(0, 1), (0, 2), (0, 3)][..], "111\n\n001\n"),
            ("piece", &[(0, 0), (0, 1)], "000\n\n001\n"),
            ("piece", &[(0, 4), (0, 5)], "100\n\n111\n"),
            ("wall", &[(0, 0)], "#00\n\n#01\n"),
        ] {
            assert_eq!(edited(brush, cells).as_deref(), Ok(expected), "{brush} {cells:?}");
        }
        for (brush, cells) in
            [("piece", &[(0, 3)][..]), ("piece", &[]), ("wall", &[(2, 0)]), ("paint", &[(0, 0)])]
        {
            assert!(edited(brush, cells).is_err(), "{brush} {cells:?}");
        }
    }
}
