//! Reads and writes instances in the contest format; [`moving_ai`](crate::moving_ai) reads the
//! files of the MovingAI benchmark.

use std::fmt;

use bitvec::vec::BitVec;
use fewest_geometry::Cell;
use fewest_rules::text::{Diagnostic, Line, Lines, data_sets, number, quote};

use crate::instance::{Ghost, Instance, LETTERS, Size, letter};
use crate::yaml;

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
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_of_contest() {
            return yaml::write(self, f);
        }
        let (size, ghosts) = (self.size(), self.ghosts().len());
        writeln!(f, "{} {} {ghosts}", size.columns(), size.rows())?;
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
        let ghosts = ghosts.collect::<Result<_, _>>()?;
        Ok(Instance::of_different_cells(header.size, self.corridor, ghosts))
    }
}
