//! The reading of mazes in both formats, and the writing of drawings.

use fewest_geometry::Cell;
use fewest_rules::text::{Diagnostic, Line, Lines, data_sets, number, quote};

use crate::drawing::{self, ParsedMaze};
use crate::instance::{Instance, Size, Walls};

impl Instance {
    /// Reads the data sets of a text lazily, up to a line `0 0` or the end of the text. An error is
    /// the last item. `size` is the size of mazes in numbers; a drawing determines its own size.
    pub fn read(text: &[u8], size: Size) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        Self::read_from(text, size, &[])
    }

    /// Like [`read`](Self::read), but yields each maze once for each of `starts`, in this order,
    /// instead of with its own start. A drawing then needs no `S`. If `starts` is empty, each maze
    /// has its own start.
    pub fn read_from(
        text: &[u8],
        size: Size,
        starts: &[Cell],
    ) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        const FORM: &str =
            "a maze: the column and the row of the start, then the masks; or a drawing, `+--+`";
        let mazes = data_sets(text, FORM, move |line, lines| {
            let header: Vec<_> = line.words().collect();
            let maze = if line.text.trim_start().starts_with('+') {
                drawing::read(line, lines)?
            } else if header.len() == 2 && header.iter().all(|(_, word)| number(word) == Some(0u8))
            {
                return Ok(None);
            } else {
                let start = read_start(line, &header, size)?;
                ParsedMaze { size, walls: read_walls(lines, size)?, start: Some(start) }
            };
            maze.instances(line, starts).map(Some)
        });
        mazes.flat_map(|maze| {
            let (instances, error) =
                maze.map_or_else(|error| (Vec::new(), Some(error)), |maze| (maze, None));
            instances.into_iter().map(Ok).chain(error.map(Err))
        })
    }

    /// The maze as a drawing: walls as `--` and `|`, and `S` in the start cell.
    /// [`read`](Self::read) accepts it.
    pub fn drawing(&self) -> String {
        drawing::write(self)
    }
}

impl ParsedMaze {
    /// One instance for each of `starts`, or one with the maze's own start if there are none.
    /// `line` is the first line of the maze.
    fn instances(self, line: Line<'_>, starts: &[Cell]) -> Result<Vec<Instance>, Diagnostic> {
        let Self { size, walls, start } = self;
        if starts.is_empty() {
            // If an empty line cuts a drawing in two, one half has no `S`.
            let missing = || {
                line.wrong(0, "a drawing without `S`", "an `S` in the start cell")
                    .hinting(drawing::ROW_HINT.to_owned())
            };
            let start = start.ok_or_else(missing)?;
            return Ok(vec![Instance { size, walls, start }]);
        }
        let starting_at = |&start: &Cell| {
            let outside = || {
                let value = format!("{},{}", start.row + 1, start.column + 1);
                let expected = format!("a cell of a maze of {size}");
                Diagnostic::of_option("--start", &value, quote(&value), expected)
            };
            Instance::new(size, walls, start).ok_or_else(outside)
        };
        starts.iter().map(starting_at).collect()
    }
}

fn read_start(line: Line<'_>, header: &[(usize, &str)], size: Size) -> Result<Cell, Diagnostic> {
    let read = |index: usize, name: &str, most: usize| {
        let (at, word) = header.get(index).copied().unwrap_or((line.text.len(), ""));
        let value =
            number(word).filter(|number| (1..=most).contains(number)).map(|number| number - 1);
        value.ok_or_else(|| {
            let found =
                if word.is_empty() { "the end of the line".to_owned() } else { quote(word) };
            let hint =
                number::<usize>(word).filter(|&number| number > most).map(|_| size_hint(size));
            line.wrong(at, found, format!("the {name} of the start, a number from 1 to {most}"))
                .hinting(hint)
        })
    };
    let column = read(0, "column", size.columns())?;
    let row = read(1, "row", size.rows())?;
    match header.get(2) {
        Some(&(at, word)) => {
            let expected = "the end of the line after the column and the row of the start";
            Err(line.wrong(at, quote(word), expected))
        }
        None => Ok(Cell::at(row, column)),
    }
}

/// A hint for errors that another `--size` may resolve.
fn size_hint(size: Size) -> String {
    format!("numbers do not contain the size of the maze: it is read as {size}")
}

fn read_walls(lines: &mut Lines<'_>, size: Size) -> Result<Walls, Diagnostic> {
    let mut walls = Walls::default();
    for row in 0..size.rows() {
        let this_row = || format!("row {} of {}, {} masks", row + 1, size.rows(), size.columns());
        let line = lines.next_filled().transpose()?;
        let line = line.ok_or_else(|| lines.ended(this_row()).hinting(size_hint(size)))?;
        let mut words = line.words();
        for column in 0..size.columns() {
            let too_short = || {
                line.wrong(line.text.len(), "the end of the line", this_row())
                    .hinting(size_hint(size))
            };
            let (at, word) = words.next().ok_or_else(too_short)?;
            let mask: u8 = number(word).filter(|&mask| mask <= 15).ok_or_else(|| {
                line.wrong(
                    at,
                    quote(word),
                    "a mask from 0 to 15: 1 for a wall on the west, plus 2 north, 4 east, 8 south",
                )
            })?;
            let [west, north, east, south] = [0, 1, 2, 3].map(|bit| u16::from(mask >> bit & 1));
            let (row_walls, column_walls) = (&mut walls.rows[row], &mut walls.columns[column]);
            let contradiction = |wall, side, neighbour, opposite| {
                let [here, there] = if wall == 1 { ["a", "no"] } else { ["no", "a"] };
                let found = format!("the mask {mask} with {here} wall on the {side}");
                let reason = format!("the mask {neighbour} it has {there} wall on the {opposite}");
                let expected = format!("{there} wall there, because {reason}");
                Err(line.wrong(at, found, expected))
            };
            if column > 0 && *row_walls >> column & 1 != west {
                return contradiction(west, "west", "before", "east");
            }
            if row > 0 && *column_walls >> row & 1 != north {
                return contradiction(north, "north", "above", "south");
            }
            *row_walls |= west << column | east << (column + 1);
            *column_walls |= north << row | south << (row + 1);
        }
        if let Some((at, word)) = words.next() {
            let expected = format!("the end of a row of {} masks", size.columns());
            return Err(line.wrong(at, quote(word), expected).hinting(size_hint(size)));
        }
    }
    Ok(walls)
}
