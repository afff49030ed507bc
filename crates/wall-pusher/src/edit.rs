//! Strokes of brushes on a maze.

use fewest_geometry::{Cell, Direction};
use fewest_puzzle::edit::{Brush, Edit};

use crate::instance::{Edge, Instance, Size, Walls};

/// What can be drawn.
pub(crate) const BRUSHES: &[Brush] = &[
    Brush { name: "wall", about: "Put a wall on an edge, or remove it", on_edges: true },
    Brush { name: "start", about: "Put the player on the cell", on_edges: false },
];

impl Edit for Instance {
    fn edit(&self, brush: &str, cells: &[Cell]) -> Result<Self, String> {
        let outside = || "the stroke is not on the maze".to_owned();
        let (mut walls, mut start) = (*self.walls(), self.start());
        match (brush, cells) {
            ("wall", &[one, other]) => {
                // The edge belongs to a cell of the maze.
                let [here, there] =
                    if self.size().contains(one) { [one, other] } else { [other, one] };
                let direction = here.direction_to(there).filter(|_| self.size().contains(here));
                let edge = Edge::of(here, direction.ok_or_else(outside)?);
                walls.set(edge, !walls.has(edge));
            }
            ("wall", _) => return Err("an edge is between two cells".to_owned()),
            ("start", cells) => start = cells.last().copied().ok_or_else(outside)?,
            _ => return Err(format!("no brush `{brush}`")),
        }
        Instance::new(self.size(), walls, start).ok_or_else(outside)
    }

    /// A maze with walls around it and one gap, in the last corner.
    fn blank(&self, rows: usize, columns: usize) -> Result<Self, String> {
        let most = Size::MAX_SIDE;
        let too_large = || format!("a maze has from 1x1 to {most}x{most} cells");
        let size = Size::new(rows, columns).ok_or_else(too_large)?;
        let mut walls = Walls::default();
        Edge::all(size).filter(|edge| edge.is_border(size)).for_each(|edge| walls.set(edge, true));
        walls.set(Edge::of(Cell::at(rows - 1, columns - 1), Direction::East), false);
        Instance::new(size, walls, Cell::ORIGIN).ok_or_else(too_large)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(brush: &str, cells: &[(i32, i32)]) -> Result<String, String> {
        let size = Size::new(1, 2).expect("a size");
        let maze = Instance::read(b"1 1\n11 10\n", size).next().expect("a maze").expect("valid");
        let cells: Vec<Cell> = cells.iter().map(|&(row, column)| Cell { row, column }).collect();
        maze.edit(brush, &cells).map(|maze| maze.to_string())
    }

    #[test]
    fn strokes_put_walls_and_the_start() {
        for cells in [[(0, 0), (0, 1)], [(0, 1), (0, 0)]] {
            assert_eq!(edited("wall", &cells).as_deref(), Ok("1 1\n15 11\n"));
        }
        for cells in [[(0, 1), (0, 2)], [(0, 2), (0, 1)]] {
            assert_eq!(edited("wall", &cells).as_deref(), Ok("1 1\n11 14\n"));
        }
        assert_eq!(edited("start", &[(0, 1)]).as_deref(), Ok("2 1\n11 10\n"));
        for (brush, cells) in [
            ("wall", &[(0, 0), (0, 0)][..]),
            ("wall", &[(0, 3), (0, 2)]),
            ("wall", &[(0, 0)]),
            ("start", &[(1, 0)]),
            ("start", &[]),
            ("paint", &[(0, 0)]),
        ] {
            assert!(edited(brush, cells).is_err(), "{brush} {cells:?}");
        }
    }
}
