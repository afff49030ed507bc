//! Strokes of brushes on a map.

use fewest_geometry::Cell;
use fewest_puzzle::edit::{Brush, Edit};

use crate::instance::{Ghost, Instance, LETTERS, Size};

/// What can be drawn.
pub(crate) const BRUSHES: &[Brush] = &[
    Brush { name: "wall", about: "Make the cells walls", on_edges: false },
    Brush { name: "corridor", about: "Make the cells corridor", on_edges: false },
    Brush {
        name: "ghost",
        about: "Drag from the start of a ghost to its goal; a tap on a ghost removes it",
        on_edges: false,
    },
];

impl Edit for Instance {
    fn edit(&self, brush: &str, stroke: &[Cell]) -> Result<Self, String> {
        let size = self.size();
        let cells: Vec<Cell> = stroke.iter().copied().filter(|&cell| size.contains(cell)).collect();
        let [first, last] = match cells[..] {
            [] => return Err("the stroke is not on the map".to_owned()),
            [first, .., last] => [first, last],
            [only] => [only; 2],
        };
        let mut corridor = self.corridor().to_bitvec();
        let mut ghosts = self.ghosts().to_vec();
        match brush {
            "wall" | "corridor" => {
                cells.iter().for_each(|&cell| corridor.set(size.index(cell), brush == "corridor"));
            }
            "ghost" => {
                let is_at = |ghost: &Ghost| ghost.start == first;
                match (ghosts.iter().position(is_at), first == last) {
                    (Some(ghost), true) => {
                        ghosts.remove(ghost);
                    }
                    (Some(ghost), false) => ghosts[ghost].goal = last,
                    (None, true) => {
                        return Err("a ghost is drawn from its start to its goal".to_owned());
                    }
                    (None, false) => ghosts.push(Ghost { start: first, goal: last }),
                }
            }
            _ => return Err(format!("no brush `{brush}`")),
        }
        if ghosts.is_empty() || ghosts.len() > LETTERS {
            return Err(format!("a map has from 1 to {LETTERS} ghosts"));
        }
        let is_both = |cell: Cell| ghosts.iter().any(|ghost| ghost.goal == cell);
        if ghosts.iter().any(|ghost| is_both(ghost.start)) {
            return Err("a cell cannot be both a start and a goal".to_owned());
        }
        Instance::new(size, corridor, ghosts).ok_or_else(|| {
            "starts and goals are different corridor cells, and no two ghosts share one".to_owned()
        })
    }

    /// A map of corridor with walls around it, and one ghost from corner to corner.
    fn blank(&self, rows: usize, columns: usize) -> Result<Self, String> {
        let sides = 3..=255;
        let size =
            Size::new(rows, columns).filter(|_| sides.contains(&rows) && sides.contains(&columns));
        let size = size.filter(|size| size.len() > 9);
        let size = size.ok_or("a map has from 3x4 to 255x255 cells, walls included")?;
        let (last_row, last_column) = (rows as i32 - 1, columns as i32 - 1);
        let is_corridor = |cell: Cell| {
            (1..last_row).contains(&cell.row) && (1..last_column).contains(&cell.column)
        };
        let ghost = Ghost {
            start: Cell { row: 1, column: 1 },
            goal: Cell { row: last_row - 1, column: last_column - 1 },
        };
        let instance = Instance::new(size, size.cells().map(is_corridor).collect(), vec![ghost]);
        instance.ok_or_else(|| "there is no such map".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "5 3 1\n#####\n#a A#\n#####\n";

    fn edited(brush: &str, cells: &[(i32, i32)]) -> Result<String, String> {
        let instance = Instance::read(TEXT.as_bytes()).next().expect("a map").expect("valid");
        let cells: Vec<Cell> = cells.iter().map(|&(row, column)| Cell { row, column }).collect();
        instance.edit(brush, &cells).map(|instance| instance.to_string())
    }

    #[test]
    fn strokes_make_walls_corridor_and_ghosts() {
        let wall = edited("wall", &[(1, 2), (1, 9)]);
        assert_eq!(wall.as_deref(), Ok("5 3 1\n#####\n#a#A#\n#####\n"));
        let corridor = edited("corridor", &[(2, 1), (2, 2)]);
        assert_eq!(corridor.as_deref(), Ok("5 3 1\n#####\n#a A#\n#  ##\n"));
        let goal = edited("ghost", &[(1, 1), (1, 2)]);
        assert_eq!(goal.as_deref(), Ok("5 3 1\n#####\n#aA #\n#####\n"));
        for (brush, cells) in [
            ("ghost", &[(1, 1)][..]),
            ("ghost", &[(1, 2)]),
            ("ghost", &[(1, 2), (1, 1)]),
            ("ghost", &[(1, 2), (0, 2)]),
            ("wall", &[(1, 1)]),
            ("wall", &[(7, 7)]),
            ("wall", &[]),
            ("paint", &[(1, 1)]),
        ] {
            assert!(edited(brush, cells).is_err(), "{brush} {cells:?}");
        }
    }
}
