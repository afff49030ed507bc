//! An instance: a map with the start and the goal of each ghost.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use fewest_geometry::{Cell, Grid};

/// The number of letters, and so the most ghosts of an instance in the contest format.
pub const LETTERS: usize = 26;

/// The most corridor cells of an instance that is read from a file.
pub const MAX_CORRIDOR_CELLS: usize = 1 << 21;

/// The rows and columns of a map, at most 65,535 x 65,535.
pub type Size = Grid<65_535>;

/// The start and the goal of a ghost. Ghosts are numbered from 0 in the order of an instance;
/// [`ghost_name`] gives their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// The cell before the first step.
    pub start: Cell,
    /// The cell to end at.
    pub goal: Cell,
}

/// The name of a ghost, by its index: `a` to `z`, then `aa`, `ab` and so on.
///
/// ```
/// use fewest_halloween::instance::ghost_name;
/// assert_eq!([0, 25, 26, 27, 701, 702].map(ghost_name), ["a", "z", "aa", "ab", "zz", "aaa"]);
/// ```
pub fn ghost_name(ghost: usize) -> String {
    let mut name = String::new();
    let _ = write_ghost_name(ghost, &mut name);
    name
}

pub(crate) fn write_ghost_name(ghost: usize, out: &mut impl Write) -> fmt::Result {
    if let Some(first) = (ghost / LETTERS).checked_sub(1) {
        write_ghost_name(first, out)?;
    }
    out.write_char(char::from(b'a' + (ghost % LETTERS) as u8))
}

/// The lower-case letter of a ghost on a map, by its index below [`LETTERS`].
pub(crate) fn letter(ghost: usize) -> char {
    char::from(b'a' + ghost as u8)
}

/// A map with at least one ghost. All starts are different corridor cells, and so are all goals.
///
/// [`read`](Self::read) and [`Display`](fmt::Display) use the contest format, in which an instance
/// is one data set: a line with the width, the height and the number of ghosts, then the map. A
/// data set has at most 26 ghosts and 255 x 255 cells, and no cell is both a start and a goal. Any
/// other instance is read and written as a [scenario in YAML](crate::yaml).
///
/// ```
/// use fewest_halloween::Instance;
/// let text = "5 5 2\n#####\n#A#B#\n#   #\n#b#a#\n#####\n";
/// assert_eq!(Instance::read(text.as_bytes()).next().unwrap().unwrap().to_string(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    size: Size,
    /// Whether each cell is corridor, in reading order.
    corridor: BitVec,
    ghosts: Vec<Ghost>,
}

impl Instance {
    /// An instance of this size. `corridor` holds whether each cell of the map is corridor, in
    /// reading order.
    ///
    /// `None` if `corridor` does not have one item per cell, if there is no ghost, if two ghosts
    /// have the same start or the same goal, or if a start or a goal is not a corridor cell.
    pub fn new(size: Size, corridor: BitVec, ghosts: Vec<Ghost>) -> Option<Self> {
        if corridor.len() != size.len() || ghosts.is_empty() {
            return None;
        }
        let instance = Self { size, corridor, ghosts };
        let are_distinct = |cell: fn(&Ghost) -> Cell| {
            let cells: BTreeSet<Cell> =
                instance.ghosts.iter().map(cell).filter(|&at| instance.is_corridor(at)).collect();
            cells.len() == instance.ghosts.len()
        };
        (are_distinct(|ghost| ghost.start) && are_distinct(|ghost| ghost.goal)).then_some(instance)
    }

    /// The same of ghosts whose starts and goals are known to be different corridor cells.
    pub(crate) fn of_different_cells(size: Size, corridor: BitVec, ghosts: Vec<Ghost>) -> Self {
        Self { size, corridor, ghosts }
    }

    /// The rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The ghosts, in the order of their indices.
    pub fn ghosts(&self) -> &[Ghost] {
        &self.ghosts
    }

    /// The start of each ghost, in the order of their indices.
    pub fn starts(&self) -> Vec<Cell> {
        self.ghosts.iter().map(|ghost| ghost.start).collect()
    }

    /// The instance with the ghosts on these cells. `None` if they are not different corridor
    /// cells, one for each ghost.
    pub fn with_starts(&self, starts: &[Cell]) -> Option<Self> {
        let goals = self.ghosts.iter().map(|ghost| ghost.goal);
        let ghosts = starts.iter().zip(goals).map(|(&start, goal)| Ghost { start, goal });
        let ghosts: Vec<_> = ghosts.collect();
        let is_complete = ghosts.len() == self.ghosts.len();
        is_complete.then(|| Self::new(self.size, self.corridor.clone(), ghosts))?
    }

    /// The number of corridor cells.
    pub fn corridor_cell_count(&self) -> usize {
        self.corridor.count_ones()
    }

    /// Whether a cell is a corridor cell. False for a cell outside the map.
    pub fn is_corridor(&self, cell: Cell) -> bool {
        self.size.contains(cell) && self.corridor[self.size.index(cell)]
    }

    /// Whether each cell is a corridor cell, in reading order.
    pub fn corridor(&self) -> &BitSlice {
        &self.corridor
    }

    /// The map as text, one line per row: a ghost of `board` as its lower-case letter, a goal
    /// without a ghost as its capital letter. Ghosts beyond `z` are `*`, and their goals are not
    /// shown.
    ///
    /// # Panics
    /// If a cell of `board` is outside the map.
    pub fn map_text(&self, board: &[Cell]) -> String {
        let mut cells: Vec<char> =
            self.corridor.iter().map(|corridor| if *corridor { ' ' } else { '#' }).collect();
        for (index, ghost) in self.ghosts.iter().enumerate().take(LETTERS) {
            cells[self.size.index(ghost.goal)] = letter(index).to_ascii_uppercase();
        }
        for (ghost, &cell) in board.iter().enumerate() {
            cells[self.size.index(cell)] = if ghost < LETTERS { letter(ghost) } else { '*' };
        }
        let rows =
            cells.chunks(self.size.columns()).map(|row| row.iter().collect::<String>() + "\n");
        rows.collect()
    }

    /// Whether the contest format can express the instance.
    pub(crate) fn is_of_contest(&self) -> bool {
        let most = usize::from(u8::MAX);
        let goals: BTreeSet<Cell> = self.ghosts.iter().map(|ghost| ghost.goal).collect();
        self.ghosts.len() <= LETTERS
            && self.size.rows().max(self.size.columns()) <= most
            && !self.ghosts.iter().any(|ghost| goals.contains(&ghost.start))
    }
}
