//! An instance: a map with the start and the goal of each ghost. This module reads and writes the
//! contest format; [`moving_ai`](crate::moving_ai) reads the files of the MovingAI benchmark.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use fewest_geometry::{Cell, Grid};
use fewest_rules::text::{Diagnostic, Line, Lines, data_sets, number, quote};

use crate::yaml;

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
fn letter(ghost: usize) -> char {
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
    /// The instances of a text in the contest format, up to the line `0 0 0` or the end.
    ///
    /// The iterator reads each data set when it is asked for it, and ends after an error.
    ///
    /// # Errors
    /// An item is an error if its data set is not well-formed. The first item is an error if there
    /// is no data set.
    pub fn read(text: &[u8]) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        const FORM: &str = "a data set: width, height and number of ghosts, then the map";
        data_sets(text, FORM, |line, lines| {
            if yaml::is_first(line, lines) {
                return yaml::read(line, lines).map(Some);
            }
            match Header::read(line)? {
                Some(header) => ParsedMap::read(&header, lines)?.into_instance(&header).map(Some),
                None => Ok(None),
            }
        })
    }

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

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_of_contest() {
            return yaml::write(self, f);
        }
        writeln!(f, "{} {} {}", self.size.columns(), self.size.rows(), self.ghosts.len())?;
        f.write_str(&self.map_text(&self.starts()))
    }
}

/// The first line of a data set.
struct Header<'a> {
    line: Line<'a>,
    size: Size,
    ghosts: usize,
    /// The byte offset of the number of ghosts in the line.
    ghosts_at: usize,
}

impl<'a> Header<'a> {
    /// `None` for the closing line `0 0 0`.
    fn read(line: Line<'a>) -> Result<Option<Self>, Diagnostic> {
        let words: Vec<_> = line.words().take(4).collect();
        if words.len() == 3 && words.iter().all(|(_, word)| number(word) == Some(0u8)) {
            return Ok(None);
        }
        let read = |index: usize, what: &str, most: u8| {
            let (at, word) = words.get(index).copied().unwrap_or((line.text.len(), ""));
            let value =
                number(word).filter(|number| (1..=most).contains(number)).map(|value| (at, value));
            let found =
                if word.is_empty() { "the end of the line".to_owned() } else { quote(word) };
            let header = "of the header `width height ghosts`";
            value.ok_or_else(|| {
                let expected = format!("the {what} {header}, a number from 1 to {most}");
                let is_scenario = line.text.starts_with("version") || line.text.contains('=');
                let hint = "a scenario needs its map: `halloween solve MAP --scenario FILE`";
                line.wrong(at, found, expected).hinting(is_scenario.then(|| hint.to_owned()))
            })
        };
        let (_, width) = read(0, "width", u8::MAX)?;
        let (_, height) = read(1, "height", u8::MAX)?;
        let (ghosts_at, ghosts) = read(2, "number of ghosts", LETTERS as u8)?;
        match words.get(3) {
            Some(&(at, word)) => {
                Err(line.wrong(at, quote(word), "the end of the header `width height ghosts`"))
            }
            // Both numbers are in the range of a size.
            None => Ok(Size::new(height.into(), width.into()).map(|size| Self {
                line,
                size,
                ghosts: ghosts.into(),
                ghosts_at,
            })),
        }
    }

    /// The range of the ghosts' letters, for messages.
    fn letters(&self) -> String {
        match self.ghosts {
            1 => "`a`".to_owned(),
            ghosts => format!("`a` to `{}`", letter(ghosts - 1)),
        }
    }
}

/// A letter on the map.
#[derive(Clone, Copy)]
struct MapLetter<'a> {
    cell: Cell,
    line: Line<'a>,
    /// The byte offset in the line.
    at: usize,
}

/// The rows of a data set. A ghost may still lack its start or its goal.
struct ParsedMap<'a> {
    corridor: BitVec,
    /// For each ghost, its lower-case letter (the start) and its capital letter (the goal).
    letters: Vec<[Option<MapLetter<'a>>; 2]>,
}

impl<'a> ParsedMap<'a> {
    fn read(header: &Header<'_>, lines: &mut Lines<'a>) -> Result<Self, Diagnostic> {
        let mut map = Self { corridor: BitVec::new(), letters: vec![[None; 2]; header.ghosts] };
        for row in 0..header.size.rows() {
            let missing = || format!("row {} of {}", row + 1, header.size.rows());
            let line = lines.next().transpose()?.ok_or_else(|| lines.ended(missing()))?;
            map.read_row(header, row, line)?;
        }
        Ok(map)
    }

    fn read_row(
        &mut self,
        header: &Header<'_>,
        row: usize,
        line: Line<'a>,
    ) -> Result<(), Diagnostic> {
        let mut cells = line.text.char_indices();
        for column in 0..header.size.columns() {
            // The cells that a short row lacks are corridor.
            let (at, symbol) = cells.next().unwrap_or((line.text.len(), ' '));
            self.corridor.push(symbol != '#');
            if !matches!(symbol, '#' | ' ') {
                let cell = Cell::at(row, column);
                self.add_letter(header, symbol, MapLetter { cell, line, at })?;
            }
        }
        match cells.find(|(_, cell)| !matches!(cell, ' ' | '\t')) {
            Some((at, cell)) => {
                let expected = format!("the end of a row of {}", header.size.columns());
                Err(line.wrong(at, quote(cell.encode_utf8(&mut [0; 4])), expected))
            }
            None => Ok(()),
        }
    }

    fn add_letter(
        &mut self,
        header: &Header<'_>,
        symbol: char,
        letter: MapLetter<'a>,
    ) -> Result<(), Diagnostic> {
        let wrong = |found: &str, expected| Err(letter.line.wrong(letter.at, found, expected));
        let shown = quote(symbol.encode_utf8(&mut [0; 4]));
        if !symbol.is_ascii_alphabetic() {
            let expected = format!("`#`, a space, or a letter of the ghosts {}", header.letters());
            return wrong(&shown, expected);
        }
        let ghost = usize::from(symbol.to_ascii_lowercase() as u8 - b'a');
        let Some(letters) = self.letters.get_mut(ghost) else {
            let expected = format!(
                "only the ghosts {} (the header gives {})",
                header.letters(),
                header.ghosts
            );
            return wrong(&shown, expected);
        };
        match &mut letters[usize::from(symbol.is_ascii_uppercase())] {
            Some(first) => {
                let expected = format!("only the one on line {}", first.line.number);
                wrong(&format!("a second {shown}"), expected)
            }
            free => {
                *free = Some(letter);
                Ok(())
            }
        }
    }

    fn into_instance(self, header: &Header<'_>) -> Result<Instance, Diagnostic> {
        let ghosts = self.letters.iter().enumerate().map(|(ghost, letters)| {
            let (lower, capital) = (letter(ghost), letter(ghost).to_ascii_uppercase());
            let unpaired = |letter: &MapLetter<'_>, present, missing| {
                Err(letter.line.wrong(
                    letter.at,
                    format!("`{present}` without `{missing}`"),
                    "both on the map",
                ))
            };
            match letters {
                [Some(start), Some(goal)] => Ok(Ghost { start: start.cell, goal: goal.cell }),
                [Some(start), None] => unpaired(start, lower, capital),
                [None, Some(goal)] => unpaired(goal, capital, lower),
                [None, None] => {
                    let found = format!("{} with no `{lower}` on the map", header.ghosts);
                    let expected = "the number of ghosts on the map";
                    Err(header.line.wrong(header.ghosts_at, found, expected))
                }
            }
        });
        Ok(Instance {
            size: header.size,
            ghosts: ghosts.collect::<Result<_, _>>()?,
            corridor: self.corridor,
        })
    }
}
