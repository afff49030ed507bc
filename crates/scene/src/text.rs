//! Animations as text for terminals: with or without colours, in Unicode or in ASCII.
//!
//! A cell is two characters wide and one high, or one wide where the terminal is too narrow. With
//! [`lines`](crate::Scene::lines) between the cells it is three characters within and one for each
//! line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::draw::{DrawError, Limits};
use crate::ink::Ink;
use crate::scene::{Animation, At, Part, Scene, Shape, Side, Spot, Step};
use crate::svg::{Room, cut};

/// How text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns of the terminal. A board that is wider is not cut.
    pub width: usize,
    /// Whether there are characters beyond ASCII; labels are as they are.
    pub unicode: bool,
    /// Whether there are colours, 256 of them.
    pub colour: bool,
}

/// How many characters wide and high a board is drawn.
pub fn size(animation: &Animation<'_>, look: &Look) -> (usize, usize) {
    Drawing::new(animation, look).size()
}

/// Draws the board at first.
///
/// # Errors
/// If writing fails.
pub fn still(animation: &Animation<'_>, look: &Look, out: &mut dyn Write) -> Result<(), DrawError> {
    let sheet = Drawing::new(animation, look).draw(&animation.start(), None, &[]);
    sheet.lines(look).try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
    Ok(())
}

/// Draws the plan at a glance, where ways are drawn; the board before every `every`th move, with
/// arrows; and the board after the last. As many stand side by side as there is room for, and so
/// many are in memory at a time.
///
/// # Errors
/// If writing fails, or a limit says so.
pub fn strip(
    animation: &Animation<'_>,
    look: &Look,
    every: usize,
    limits: &Limits<'_>,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    /// Least columns for what is written above a board.
    const CAPTION: usize = 10;
    const GAP: usize = 3;
    let drawing = Drawing::new(animation, look);
    let ways = animation.ways(limits)?;
    let all = (!ways.is_empty())
        .then(|| ("whole plan".to_owned(), drawing.draw(&animation.start(), None, &ways)));
    let each = animation.boards(every, limits);
    let each = each.map(|board| {
        board
            .map(|(caption, frame)| (caption, drawing.draw(&frame.spots, frame.step.as_ref(), &[])))
    });
    let mut boards = all.map(Ok).into_iter().chain(each).peekable();
    let width = drawing.size().0.max(CAPTION);
    let abreast = (look.width.saturating_add(GAP) / (width + GAP)).max(1);
    let mut is_first = true;
    while boards.peek().is_some() {
        let row: Vec<(String, Sheet)> =
            boards.by_ref().take(abreast).collect::<Result<_, DrawError>>()?;
        if !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        let captions = row.iter().map(|(caption, _)| {
            let caption = if look.unicode {
                cut(caption, width)
            } else {
                cut(caption, width).replace('…', "~")
            };
            let padding = width - caption.width();
            caption + &" ".repeat(padding)
        });
        let mut write =
            |parts: Vec<String>| writeln!(out, "{}", parts.join(&" ".repeat(GAP)).trim_end());
        write(captions.collect())?;
        let mut sheets: Vec<_> = row.iter().map(|(_, sheet)| sheet.lines(look)).collect();
        while let Some(lines) =
            sheets.iter_mut().map(Iterator::next).collect::<Option<Vec<String>>>()
        {
            let padding = width - row[0].1.width;
            write(lines.into_iter().map(|line| line + &" ".repeat(padding)).collect())?;
        }
    }
    Ok(())
}

/// Colours of a character: 256 of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Paint {
    front: Option<u8>,
    back: Option<u8>,
    bold: bool,
}

/// Rows of characters; `None` is the second half of a wide one.
struct Sheet {
    width: usize,
    marks: Vec<(Option<char>, Paint)>,
}

impl Sheet {
    fn blank(width: usize, height: usize) -> Self {
        Self { width, marks: vec![(Some(' '), Paint::default()); width * height] }
    }

    /// Writes from a place on, as far as the row goes; what is written keeps the background that it
    /// does not change.
    fn write(&mut self, (column, row): (usize, usize), text: &str, paint: Paint) {
        let mut column = column;
        for mark in text.chars() {
            let wide = mark.width().unwrap_or(0);
            if wide == 0 || column + wide > self.width {
                continue;
            }
            for half in 0..wide {
                let Some(place) = self.marks.get_mut(row * self.width + column + half) else {
                    return;
                };
                let back = paint.back.or(place.1.back);
                *place = ((half == 0).then_some(mark), Paint { back, ..paint });
            }
            column += wide;
        }
    }

    /// Its lines, each as wide as the sheet.
    fn lines<'a>(&'a self, look: &Look) -> impl Iterator<Item = String> + use<'a> {
        let colour = look.colour;
        self.marks.chunks(self.width.max(1)).map(move |row| {
            let mut line = String::new();
            let mut before = Paint::default();
            for (mark, paint) in row {
                let Some(mark) = mark else { continue };
                if colour && *paint != before {
                    line.push_str("\x1b[0");
                    if paint.bold {
                        line.push_str(";1");
                    }
                    for (kind, number) in [(38, paint.front), (48, paint.back)] {
                        if let Some(number) = number {
                            let _ = write!(line, ";{kind};5;{number}");
                        }
                    }
                    line.push('m');
                    before = *paint;
                }
                line.push(*mark);
            }
            if before != Paint::default() {
                line.push_str("\x1b[0m");
            }
            line
        })
    }
}

/// A board on its way to a sheet.
struct Drawing<'a> {
    animation: &'a Animation<'a>,
    look: &'a Look,
    from: At,
    columns: usize,
    rows: usize,
    /// Characters from a cell to the next.
    pace: usize,
}

/// Which neighbours a line goes to: a bit each, in the order of [`AROUND`].
type Ends = u8;
const AROUND: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const EAST: Ends = 1 << 1;

/// Lines by their ends.
const BOX: [char; 16] =
    [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

/// Ways, which are to be told from edges without colours.
const DOUBLE: [char; 16] =
    [' ', '║', '═', '╚', '║', '║', '╔', '╠', '═', '╝', '═', '╩', '╗', '╣', '╦', '╬'];

impl<'a> Drawing<'a> {
    fn new(animation: &'a Animation<'a>, look: &'a Look) -> Self {
        let (from, to) = animation.extent();
        let (columns, rows) = ((to.x - from.x + 1) as usize, (to.y - from.y + 1) as usize);
        let pace = if animation.scene.lines {
            4
        } else if 2 * columns <= look.width {
            2
        } else {
            1
        };
        Self { animation, look, from, columns, rows, pace }
    }

    /// Columns and rows of characters.
    fn size(&self) -> (usize, usize) {
        match self.animation.scene.lines {
            true => (self.pace * self.columns + 1, 2 * self.rows + 1),
            false => (self.pace * self.columns, self.rows),
        }
    }

    fn draw(&self, spots: &[Spot], step: Option<&Step>, ways: &[(usize, Vec<At>)]) -> Sheet {
        let Scene { ground, parts, lines, .. } = &self.animation.scene;
        let parts: Vec<(&Part, At, Ink)> =
            parts.iter().zip(spots).map(|(part, &(at, ink))| (part, at, ink)).collect();
        let ground: Vec<(&Part, At, Ink)> =
            ground.iter().map(|part| (part, part.at, part.ink)).collect();
        let (width, height) = self.size();
        let mut sheet = Sheet::blank(width, height);
        if *lines {
            self.lattice(&ground, &parts, &mut sheet);
        } else {
            ground.iter().for_each(|&(part, at, ink)| self.tiles(part, at, ink, &mut sheet));
        }
        self.ways(ways, &mut sheet);
        for &(part, at, ink) in &ground {
            self.label(part, at, ink, "", &mut sheet);
        }
        for (number, &(part, at, ink)) in parts.iter().enumerate() {
            let motion =
                step.and_then(|step| step.motions.iter().find(|motion| motion.part == number));
            let arrow = motion.map(|motion| self.arrow(&motion.path)).unwrap_or_default();
            self.label(part, at, ink, &arrow, &mut sheet);
        }
        sheet
    }

    /// Where the first character within a cell is, or that of a corner; `None` beyond the picture.
    fn place(&self, at: At) -> Option<(usize, usize)> {
        let column = usize::try_from(at.x - self.from.x).ok()?;
        let row = usize::try_from(at.y - self.from.y).ok()?;
        let lines = self.animation.scene.lines;
        let beyond = usize::from(lines);
        let within = column < self.columns + beyond && row < self.rows + beyond;
        within
            .then(|| if lines { (self.pace * column, 2 * row) } else { (self.pace * column, row) })
    }

    /// Ground without lines: walls are full, and what pieces stand on has a colour.
    fn tiles(&self, part: &Part, at: At, ink: Ink, sheet: &mut Sheet) {
        if !matches!(part.shape, Shape::Cells(_)) {
            return;
        }
        let (mark, paint) = match ink {
            Ink::Wall if self.look.unicode => {
                ("█", Paint { front: Some(ink.terminal()), ..Paint::default() })
            }
            Ink::Wall => ("#", Paint::default()),
            Ink::Board => (" ", Paint { back: Some(ink.terminal()), ..Paint::default() }),
            _ => return,
        };
        for place in part.cells(at).into_iter().filter_map(|cell| self.place(cell)) {
            sheet.write(place, &mark.repeat(self.pace), paint);
        }
    }

    /// Edges, and pieces with a line around them.
    fn lattice(&self, ground: &[(&Part, At, Ink)], parts: &[(&Part, At, Ink)], sheet: &mut Sheet) {
        let mut piece: BTreeMap<At, (usize, Ink)> = BTreeMap::new();
        for (number, (part, at, ink)) in parts.iter().enumerate() {
            if matches!(part.shape, Shape::Cells(_)) {
                piece.extend(part.cells(*at).into_iter().map(|cell| (cell, (number, *ink))));
            }
        }
        // The colour of each edge, by whether it stands and the cell that it is the west or the
        // north of.
        let mut edges: BTreeMap<(bool, At), Ink> = BTreeMap::new();
        let (right, below) = (self.from.x + self.columns as i32, self.from.y + self.rows as i32);
        let corners =
            (self.from.y..=below).flat_map(|y| (self.from.x..=right).map(move |x| At { x, y }));
        for cell in corners.clone() {
            for (stands, dx, dy) in [(true, 1, 0), (false, 0, 1)] {
                let [here, before] = [cell, At { x: cell.x - dx, y: cell.y - dy }]
                    .map(|cell| piece.get(&cell).map(|piece| piece.0));
                if here != before {
                    edges.insert((stands, cell), Ink::Text);
                }
            }
        }
        for (part, at, ink) in ground.iter().chain(parts) {
            if let Shape::Edge(side) = part.shape {
                edges.insert((side == Side::West, *at), *ink);
            }
        }
        let back = |cells: &[At]| {
            let mut on = cells.iter().map(|cell| piece.get(cell));
            let first = on.next().flatten()?;
            on.all(|other| other == Some(first)).then(|| first.1.terminal())
        };
        let cell = |x, y| At { x, y };
        for at @ At { x, y } in corners {
            let Some((column, row)) = self.place(at) else { continue };
            let around = [(true, cell(x, y - 1)), (false, at), (true, at), (false, cell(x - 1, y))];
            let ends = around
                .iter()
                .enumerate()
                .fold(0, |ends, (bit, edge)| ends | u8::from(edges.contains_key(edge)) << bit);
            let ink =
                around.iter().filter_map(|edge| edges.get(edge)).max_by_key(|ink| match ink {
                    Ink::Hue(_) => 2,
                    Ink::Text => 0,
                    _ => 1,
                });
            let corner_back = back(&[at, cell(x - 1, y), cell(x, y - 1), cell(x - 1, y - 1)]);
            let dot = if self.look.unicode { "·" } else { "." };
            let mark = match self.line(ends) {
                ' ' if corner_back.is_none() => dot.to_owned(),
                mark => mark.to_string(),
            };
            sheet.write(
                (column, row),
                &mark,
                self.paint(ink.copied().or(Some(Ink::Floor)), corner_back),
            );
            let mut edge =
                |stands: bool, other: At, place: (usize, usize), mark: char, count: usize| {
                    let ink = edges.get(&(stands, at)).copied();
                    let mark = if ink.is_some() { mark } else { ' ' };
                    sheet.write(
                        place,
                        &mark.to_string().repeat(count),
                        self.paint(ink, back(&[at, other])),
                    );
                };
            edge(false, cell(x, y - 1), (column + 1, row), self.line(0b1010), self.pace - 1);
            edge(true, cell(x - 1, y), (column, row + 1), self.line(0b0101), 1);
            if x < right && y < below {
                sheet.write((column + 1, row + 1), "   ", self.paint(None, back(&[at])));
            }
        }
    }

    fn paint(&self, front: Option<Ink>, back: Option<u8>) -> Paint {
        // On a piece only what is written is seen, and in any other place the terminal's own colour
        // of text is best.
        let front = front.filter(|ink| *ink != Ink::Text).map(Ink::terminal);
        Paint { front, back, bold: false }
    }

    fn line(&self, ends: Ends) -> char {
        match ends {
            _ if self.look.unicode => BOX[usize::from(ends)],
            0 => ' ',
            0b0101 => '|',
            0b1010 => '-',
            _ => '+',
        }
    }

    /// The ways of parts, through the middles of cells; where they meet, in the colour of the last.
    fn ways(&self, ways: &[(usize, Vec<At>)], sheet: &mut Sheet) {
        let mut lines: BTreeMap<At, (Ends, Ink)> = BTreeMap::new();
        for (number, way) in ways {
            let ink = self.animation.scene.parts[*number].ink;
            for pair in way.windows(2) {
                let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
                let Some(bit) =
                    AROUND.into_iter().position(|way| way == (dx.signum(), dy.signum()))
                else {
                    continue;
                };
                let (step_x, step_y) = AROUND[bit];
                for cells in 0..dx.abs().max(dy.abs()) {
                    let from = At { x: pair[0].x + cells * step_x, y: pair[0].y + cells * step_y };
                    let to = At { x: from.x + step_x, y: from.y + step_y };
                    for (at, end) in [(from, 1 << bit), (to, 1 << (bit ^ 2))] {
                        let line = lines.entry(at).or_insert((0, ink));
                        *line = (line.0 | end, ink);
                    }
                }
            }
        }
        let line = |ends: Ends| if self.look.unicode { DOUBLE[usize::from(ends)] } else { '*' };
        let (along, down) = (line(0b1010), line(0b0101));
        for (at, (ends, ink)) in lines {
            let paint = self.paint(Some(ink), None);
            let Some((column, row)) = self.place(at) else { continue };
            let mark = line(ends).to_string();
            if !self.animation.scene.lines {
                sheet.write((column, row), &mark, paint);
                if ends & EAST != 0 && self.pace > 1 {
                    sheet.write((column + 1, row), &along.to_string(), paint);
                }
                continue;
            }
            sheet.write((column + 2, row + 1), &mark, paint);
            let reaches = [
                ((column + 2, row), down),
                ((column + 3, row + 1), along),
                ((column + 2, row + 2), down),
                ((column + 1, row + 1), along),
            ];
            for (bit, (place, mark)) in reaches.into_iter().enumerate() {
                // An edge that is crossed stays to be seen.
                let free = sheet
                    .marks
                    .get(place.1 * sheet.width + place.0)
                    .is_some_and(|mark| mark.0 == Some(' '));
                if ends >> bit & 1 == 1 && free {
                    sheet.write(place, &mark.to_string(), paint);
                }
            }
            if ends & EAST != 0
                && sheet
                    .marks
                    .get((row + 1) * sheet.width + column + 4)
                    .is_some_and(|mark| mark.0 == Some(' '))
            {
                sheet.write((column + 4, row + 1), &along.to_string(), paint);
            }
        }
    }

    /// The directions of a path, each once in a row.
    fn arrow(&self, path: &[At]) -> String {
        let mut ways: Vec<usize> = path
            .windows(2)
            .filter_map(|pair| {
                AROUND.iter().position(|&way| way == (pair[1].x - pair[0].x, pair[1].y - pair[0].y))
            })
            .collect();
        ways.dedup();
        let arrows =
            if self.look.unicode { ['↑', '→', '↓', '←'] } else { ['^', '>', 'v', '<'] };
        ways.into_iter().map(|way| arrows[way]).collect()
    }

    /// What is written on a part, and where it goes.
    fn label(&self, part: &Part, at: At, ink: Ink, arrow: &str, sheet: &mut Sheet) {
        let own = match (&part.shape, ink) {
            (Shape::Edge(_), _) => return,
            _ if !part.label.is_empty() => part.label.clone(),
            (Shape::Cells(_) | Shape::Outline(_), _) => String::new(),
            (Shape::Arrow, _) => if self.look.unicode { "→" } else { ">" }.to_owned(),
            // With colours, both are discs; without, the one is filled.
            (_, Ink::White) if self.look.unicode && !self.look.colour => "○".to_owned(),
            (_, Ink::White) if !self.look.unicode => ".".to_owned(),
            (_, Ink::Black) if !self.look.unicode => "X".to_owned(),
            _ if self.look.unicode => "●".to_owned(),
            _ => "o".to_owned(),
        };
        let paint = match part.shape {
            Shape::Outline(_) => self.paint(Some(ink), None),
            Shape::Disc | Shape::Arrow | Shape::Figure(_) if part.label.is_empty() => {
                Paint { bold: true, ..self.paint(Some(ink), None) }
            }
            // Written on floor and walls, it has their colour.
            _ if !matches!(ink, Ink::Hue(_)) => Paint { front: None, back: None, bold: true },
            _ => Paint { front: Some(ink.on().terminal()), back: Some(ink.terminal()), bold: true },
        };
        if own.is_empty() && arrow.is_empty() {
            return;
        }
        let room = Room::of(part);
        let Some((column, row)) = self.place(at) else { return };
        if !self.animation.scene.lines {
            let text = cut_plain(&format!("{own}{arrow}"), self.pace);
            sheet.write((column, row), &text, paint);
            return;
        }
        let wide = (4.0 * room.width) as usize - 1;
        let mut lines = room.lines(&own);
        if let Some(last) = lines.last_mut() {
            last.push_str(arrow);
        }
        // A piece's own cell need not be its first.
        let away = |from: usize, by: f64| from.saturating_add_signed(by.floor() as isize);
        let (middle_x, middle_y) = (away(column, 4.0 * room.x), away(row, 2.0 * room.y));
        let top = middle_y.saturating_sub((lines.len() - 1) / 2);
        for (number, line) in lines.iter().enumerate() {
            let line = cut_plain(line, wide);
            // A goal is seen where nothing stands on it.
            sheet.write((middle_x.saturating_sub(line.width() / 2), top + number), &line, paint);
        }
    }
}

/// So many columns of a text, and no more.
fn cut_plain(text: &str, columns: usize) -> String {
    let mut width = 0;
    let fits = |mark: &char| {
        width += mark.width().unwrap_or(0);
        width <= columns
    };
    text.chars().take_while(fits).collect()
}
