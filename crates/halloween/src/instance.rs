//! The puzzle as given: a house, and for each ghost where it is and where it belongs. Here is the
//! judges' text; the files of the benchmark are read in [`moving_ai`](crate::moving_ai).

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use bitvec::vec::BitVec;
use fewest_core::encoding::Cells;
use fewest_core::text::{Diagnostic, Line, Lines, data_sets, number, quote};

/// The most ghosts of a text: one for each letter.
pub const LETTERS: usize = 26;

/// A cell of the grid, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The column.
    pub x: u16,
    /// The row.
    pub y: u16,
}

impl Place {
    /// Of a grid of at most 65,535 columns and rows.
    pub(crate) fn at((x, y): (usize, usize)) -> Self {
        Self { x: x as u16, y: y as u16 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}, row {}", u32::from(self.x) + 1, u32::from(self.y) + 1)
    }
}

/// A ghost's way: its name is its place in the order, `a` the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// Where it is.
    pub start: Place,
    /// Where it belongs.
    pub goal: Place,
}

/// The name of a ghost, by its index: `a` to `z`, then `aa`, `ab` and so on.
///
/// ```
/// use fewest_halloween::instance::name;
/// assert_eq!([0, 25, 26, 27, 701, 702].map(name), ["a", "z", "aa", "ab", "zz", "aaa"]);
/// ```
pub fn name(ghost: usize) -> String {
    let mut name = String::new();
    let _ = write_name(ghost, &mut name);
    name
}

pub(crate) fn write_name(ghost: usize, out: &mut impl Write) -> fmt::Result {
    if let Some(first) = (ghost / LETTERS).checked_sub(1) {
        write_name(first, out)?;
    }
    out.write_char(char::from(b'a' + (ghost % LETTERS) as u8))
}

/// The small letter of a ghost on a map, by its index below [`LETTERS`].
fn letter(ghost: usize) -> char {
    char::from(b'a' + ghost as u8)
}

/// A house with ghosts: at least one, all starts on corridor cells, no two on the same one, and so
/// the goals.
///
/// As text, by [`read`](Self::read) and [`Display`](fmt::Display), it is one data set of the
/// judges' input, which has at most 26 ghosts (of more, only the first 26 are written), 255 x 255
/// cells, and no start on a goal.
///
/// ```
/// use fewest_halloween::Instance;
/// let text = "5 5 2\n#####\n#A#B#\n#   #\n#b#a#\n#####\n";
/// assert_eq!(Instance::read(text.as_bytes()).next().unwrap().unwrap().to_string(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    width: u16,
    height: u16,
    /// In reading order.
    open: BitVec,
    ghosts: Vec<Ghost>,
}

impl Instance {
    /// The data sets of a text, up to the closing `0 0 0` or the end; each is read in its turn, and
    /// an error is the last.
    pub fn read(text: &[u8]) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        const FORM: &str = "a data set: width, height and number of ghosts, then the map";
        data_sets(text, FORM, |line, lines| match Header::read(line)? {
            Some(header) => Map::read(&header, lines)?.into_instance(&header).map(Some),
            None => Ok(None),
        })
    }

    /// A house of so many columns, with its places in reading order, and its ghosts. `None` if it
    /// is none, as said above.
    pub fn new(width: u16, open: BitVec, ghosts: Vec<Ghost>) -> Option<Self> {
        let height = u16::try_from(open.len().checked_div(width.into())?).ok()?;
        let house = Self { width, height, open, ghosts };
        let apart = |of: fn(&Ghost) -> Place| {
            let places: BTreeSet<Place> =
                house.ghosts.iter().map(of).filter(|&place| house.is_open(place)).collect();
            places.len() == house.ghosts.len()
        };
        let whole = house.open.len() == usize::from(width) * usize::from(height);
        (whole
            && !house.ghosts.is_empty()
            && apart(|ghost| ghost.start)
            && apart(|ghost| ghost.goal))
        .then_some(house)
    }

    /// Columns.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u16 {
        self.height
    }

    /// The ghosts, in the order of their names.
    pub fn ghosts(&self) -> &[Ghost] {
        &self.ghosts
    }

    /// All places of the grid, in reading order.
    pub fn places(&self) -> impl Iterator<Item = Place> + Clone {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Place { x, y }))
    }

    /// How many of them are corridor.
    pub fn open_places(&self) -> usize {
        self.open.count_ones()
    }

    /// The corridor cells, numbered. `None` if they are more than can be.
    pub fn cells(&self) -> Option<Cells> {
        Cells::new(self.width.into(), self.height.into(), |x, y| self.is_open(Place::at((x, y))))
    }

    /// Whether a place is a corridor cell of the house.
    pub fn is_open(&self, place: Place) -> bool {
        place.x < self.width && place.y < self.height && self.open[self.index(place)]
    }

    /// The map with the ghosts where they are on a board, and goals that are free in capitals; a
    /// line a row. Ghosts beyond `z` are `*`, and their goals are not shown.
    pub fn picture(&self, board: &[Place]) -> String {
        let mut cells: Vec<char> =
            self.open.iter().map(|open| if *open { ' ' } else { '#' }).collect();
        for (ghost, way) in self.ghosts.iter().enumerate().take(LETTERS) {
            cells[self.index(way.goal)] = letter(ghost).to_ascii_uppercase();
        }
        for (ghost, &place) in board.iter().enumerate() {
            cells[self.index(place)] = if ghost < LETTERS { letter(ghost) } else { '*' };
        }
        let rows =
            cells.chunks(usize::from(self.width)).map(|row| row.iter().collect::<String>() + "\n");
        rows.collect()
    }

    /// The number of a place on the map, row by row.
    pub(crate) fn index(&self, place: Place) -> usize {
        usize::from(place.y) * usize::from(self.width) + usize::from(place.x)
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {} {}", self.width, self.height, self.ghosts.len())?;
        let starts: Vec<Place> =
            self.ghosts.iter().take(LETTERS).map(|ghost| ghost.start).collect();
        f.write_str(&self.picture(&starts))
    }
}

struct Header<'a> {
    line: Line<'a>,
    width: u8,
    height: u8,
    ghosts: usize,
    /// Where the number of ghosts stands in the line.
    ghosts_at: usize,
}

impl<'a> Header<'a> {
    /// `None` is the closing `0 0 0`.
    fn read(line: Line<'a>) -> Result<Option<Self>, Diagnostic> {
        let words: Vec<_> = line.words().take(4).collect();
        if words.len() == 3 && words.iter().all(|(_, word)| number(word) == Some(0u8)) {
            return Ok(None);
        }
        let read = |index: usize, of: &str, most: u8| {
            let (at, word) = words.get(index).copied().unwrap_or((line.text.len(), ""));
            let value =
                number(word).filter(|number| (1..=most).contains(number)).map(|value| (at, value));
            let found =
                if word.is_empty() { "the end of the line".to_owned() } else { quote(word) };
            let header = "of the header `width height ghosts`";
            value.ok_or_else(|| {
                line.wrong(at, found, format!("the {of} {header}, a number from 1 to {most}"))
            })
        };
        let (_, width) = read(0, "width", u8::MAX)?;
        let (_, height) = read(1, "height", u8::MAX)?;
        let (ghosts_at, ghosts) = read(2, "number of ghosts", LETTERS as u8)?;
        match words.get(3) {
            Some(&(at, word)) => {
                Err(line.wrong(at, quote(word), "the end of the header `width height ghosts`"))
            }
            None => Ok(Some(Self { line, width, height, ghosts: ghosts.into(), ghosts_at })),
        }
    }

    /// The letters in use, as a message says them.
    fn letters(&self) -> String {
        match self.ghosts {
            1 => "`a`".to_owned(),
            ghosts => format!("`a` to `{}`", letter(ghosts - 1)),
        }
    }
}

/// A letter on the map.
#[derive(Clone, Copy)]
struct Mark<'a> {
    place: Place,
    line: Line<'a>,
    /// Where it stands in the line.
    at: usize,
}

/// What the rows say, before it is known to be whole.
struct Map<'a> {
    open: BitVec,
    /// Of each ghost, its small letter and its capital.
    marks: Vec<[Option<Mark<'a>>; 2]>,
}

impl<'a> Map<'a> {
    fn read(header: &Header<'_>, lines: &mut Lines<'a>) -> Result<Self, Diagnostic> {
        let mut map = Self { open: BitVec::new(), marks: vec![[None; 2]; header.ghosts] };
        for y in 0..header.height {
            let missing = || format!("row {} of {}", u16::from(y) + 1, header.height);
            let line = lines.next().transpose()?.ok_or_else(|| lines.ended(missing()))?;
            map.read_row(header, y, line)?;
        }
        Ok(map)
    }

    fn read_row(&mut self, header: &Header<'_>, y: u8, line: Line<'a>) -> Result<(), Diagnostic> {
        let mut cells = line.text.char_indices();
        for x in 0..header.width {
            // A row that ends early goes on as corridor.
            let (at, cell) = cells.next().unwrap_or((line.text.len(), ' '));
            self.open.push(cell != '#');
            if !matches!(cell, '#' | ' ') {
                self.mark(
                    header,
                    cell,
                    Mark { place: Place { x: x.into(), y: y.into() }, line, at },
                )?;
            }
        }
        match cells.find(|(_, cell)| !matches!(cell, ' ' | '\t')) {
            Some((at, cell)) => {
                let expected = format!("the end of a row of {}", header.width);
                Err(line.wrong(at, quote(cell.encode_utf8(&mut [0; 4])), expected))
            }
            None => Ok(()),
        }
    }

    fn mark(&mut self, header: &Header<'_>, cell: char, mark: Mark<'a>) -> Result<(), Diagnostic> {
        let wrong = |found: &str, expected| Err(mark.line.wrong(mark.at, found, expected));
        let shown = quote(cell.encode_utf8(&mut [0; 4]));
        if !cell.is_ascii_alphabetic() {
            let expected = format!("`#`, a space, or a letter of the ghosts {}", header.letters());
            return wrong(&shown, expected);
        }
        let ghost = usize::from(cell.to_ascii_lowercase() as u8 - b'a');
        let Some(marks) = self.marks.get_mut(ghost) else {
            let expected = format!(
                "only the ghosts {}, as the header says {}",
                header.letters(),
                header.ghosts
            );
            return wrong(&shown, expected);
        };
        match &mut marks[usize::from(cell.is_ascii_uppercase())] {
            Some(first) => {
                let expected = format!("only the one on line {}", first.line.number);
                wrong(&format!("a second {shown}"), expected)
            }
            free => {
                *free = Some(mark);
                Ok(())
            }
        }
    }

    fn into_instance(self, header: &Header<'_>) -> Result<Instance, Diagnostic> {
        let ghosts = self.marks.iter().enumerate().map(|(ghost, marks)| {
            let (small, capital) = (letter(ghost), letter(ghost).to_ascii_uppercase());
            let alone = |mark: &Mark<'_>, there, missing| {
                Err(mark.line.wrong(
                    mark.at,
                    format!("`{there}` alone"),
                    format!("`{missing}` on the map as well"),
                ))
            };
            match marks {
                [Some(start), Some(goal)] => Ok(Ghost { start: start.place, goal: goal.place }),
                [Some(start), None] => alone(start, small, capital),
                [None, Some(goal)] => alone(goal, capital, small),
                [None, None] => {
                    let found = format!("the number {} and no `{small}` on the map", header.ghosts);
                    Err(header.line.wrong(header.ghosts_at, found, "as many ghosts as the map has"))
                }
            }
        });
        Ok(Instance {
            width: header.width.into(),
            height: header.height.into(),
            ghosts: ghosts.collect::<Result<_, _>>()?,
            open: self.open,
        })
    }
}
