//! Animations as text for terminals: with or without colours, in Unicode or in ASCII.
//!
//! A cell is two characters wide and one high, or one character wide if the terminal is too narrow.
//! With [`lines`](crate::Scene::lines), a cell is three characters wide and one high, with one
//! character for each line between cells.

use fewest_geometry::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::draw::{DrawError, DrawLimits};
use crate::ink::Ink;
use crate::scene::{Animation, Part, Placement, Scene, Shape, Side, Step};
use crate::svg::{LabelRoom, ellipsize};

/// Options of text output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The width of the terminal in columns. A wider board is not truncated.
    pub width: usize,
    /// Whether to use characters outside ASCII. Does not affect labels.
    pub unicode: bool,
    /// Whether to use colours: ANSI escape sequences with 256 colours.
    pub colour: bool,
}

/// The width and height of a board in characters.
pub fn size(animation: &Animation<'_>, look: &Look) -> (usize, usize) {
    Renderer::new(animation, look).size()
}

/// Draws the board at the start.
///
/// # Errors
/// [`DrawError::Write`] if writing fails.
pub fn still(animation: &Animation<'_>, look: &Look, out: &mut dyn Write) -> Result<(), DrawError> {
    let renderer = Renderer::new(animation, look);
    let board = renderer.draw(&animation.start(), None, &[]);
    let Some(target) = renderer.draw_target() else {
        board.lines(look).try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
        return Ok(());
    };
    let middle = renderer.size().1.saturating_sub(1) / 2;
    let arrow = if look.unicode { "→" } else { ">" };
    for (row, (board, target)) in board.lines(look).zip(target.lines(look)).enumerate() {
        let between = if row == middle { format!(" {arrow} ") } else { "   ".to_owned() };
        writeln!(out, "{}", format!("{board}{between}{target}").trim_end())?;
    }
    Ok(())
}

/// Draws a strip: the [target](Scene::target), if there is one; the board with the
/// [traced](method@Part::traced) paths of the whole plan, if there are any; the board before every
/// `every`th step, with arrows; and the board after the last step.
///
/// Each row has as many boards as fit in [`Look::width`]. One row is in memory at a time, together
/// with the paths.
///
/// # Errors
/// If writing fails, or if a limit stops drawing.
pub fn strip(
    animation: &Animation<'_>,
    look: &Look,
    every: usize,
    limits: &DrawLimits<'_>,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    /// The minimum width of a caption, in columns.
    const CAPTION: usize = 10;
    const GAP: usize = 3;
    let renderer = Renderer::new(animation, look);
    let paths = animation.traced_paths(limits)?;
    let whole_plan = (!paths.is_empty())
        .then(|| ("whole plan".to_owned(), renderer.draw(&animation.start(), None, &paths)));
    let each = animation.boards(every, limits);
    let each = each.map(|board| {
        board.map(|(caption, frame)| {
            (caption, renderer.draw(&frame.placements, frame.step.as_ref(), &[]))
        })
    });
    let target = renderer.draw_target().map(|target| ("target".to_owned(), target));
    let mut boards = target.into_iter().chain(whole_plan).map(Ok).chain(each).peekable();
    let width = renderer.size().0.max(CAPTION);
    let boards_per_row = (look.width.saturating_add(GAP) / (width + GAP)).max(1);
    let mut is_first_row = true;
    while boards.peek().is_some() {
        let row: Vec<(String, CharGrid)> =
            boards.by_ref().take(boards_per_row).collect::<Result<_, DrawError>>()?;
        if !std::mem::take(&mut is_first_row) {
            writeln!(out)?;
        }
        let captions = row.iter().map(|(caption, _)| {
            let caption = if look.unicode {
                ellipsize(caption, width)
            } else {
                ellipsize(caption, width).replace('…', "~")
            };
            let padding = width - caption.width();
            caption + &" ".repeat(padding)
        });
        let mut write =
            |parts: Vec<String>| writeln!(out, "{}", parts.join(&" ".repeat(GAP)).trim_end());
        write(captions.collect())?;
        let mut grids: Vec<_> = row.iter().map(|(_, grid)| grid.lines(look)).collect();
        while let Some(lines) =
            grids.iter_mut().map(Iterator::next).collect::<Option<Vec<String>>>()
        {
            let padding = width - row[0].1.width;
            write(lines.into_iter().map(|line| line + &" ".repeat(padding)).collect())?;
        }
    }
    Ok(())
}

/// The colours of a character, as numbers of the 256 colours of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Style {
    foreground: Option<u8>,
    background: Option<u8>,
    bold: bool,
}

/// A grid of styled characters. `None` is the second column of a wide character.
struct CharGrid {
    width: usize,
    chars: Vec<(Option<char>, Style)>,
}

impl CharGrid {
    fn blank(width: usize, height: usize) -> Self {
        Self { width, chars: vec![(Some(' '), Style::default()); width * height] }
    }

    /// Writes text from a position to the right, up to the end of the row. If the style has no
    /// background, the current background stays.
    fn write(&mut self, (column, row): (usize, usize), text: &str, style: Style) {
        let mut column = column;
        for symbol in text.chars() {
            let char_width = symbol.width().unwrap_or(0);
            if char_width == 0 || column + char_width > self.width {
                continue;
            }
            for half in 0..char_width {
                let Some(slot) = self.chars.get_mut(row * self.width + column + half) else {
                    return;
                };
                let background = style.background.or(slot.1.background);
                *slot = ((half == 0).then_some(symbol), Style { background, ..style });
            }
            column += char_width;
        }
    }

    /// The rows as text, each as wide as the grid.
    fn lines<'a>(&'a self, look: &Look) -> impl Iterator<Item = String> + use<'a> {
        let colour = look.colour;
        self.chars.chunks(self.width.max(1)).map(move |row| {
            let mut line = String::new();
            let mut before = Style::default();
            for (symbol, style) in row {
                let Some(symbol) = symbol else { continue };
                if colour && *style != before {
                    line.push_str("\x1b[0");
                    if style.bold {
                        line.push_str(";1");
                    }
                    for (kind, number) in [(38, style.foreground), (48, style.background)] {
                        if let Some(number) = number {
                            let _ = write!(line, ";{kind};5;{number}");
                        }
                    }
                    line.push('m');
                    before = *style;
                }
                line.push(*symbol);
            }
            if before != Style::default() {
                line.push_str("\x1b[0m");
            }
            line
        })
    }
}

/// Draws boards of an animation as character grids.
struct Renderer<'a> {
    animation: &'a Animation<'a>,
    look: &'a Look,
    /// The upper left cell of the picture.
    from: Cell,
    columns: usize,
    rows: usize,
    /// Characters from the start of a cell to the start of the next cell in its row.
    cell_stride: usize,
}

/// The directions in which lines leave a point: one bit for each item of [`NEIGHBOURS`].
type Directions = u8;
/// North, east, south and west.
const NEIGHBOURS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const EAST: Directions = 1 << 1;

/// Lines of edges, indexed by [`Directions`].
const BOX_LINES: [char; 16] =
    [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

/// Lines of paths, indexed by [`Directions`]. They are double, so that they differ from edges even
/// without colours.
const DOUBLE_BOX_LINES: [char; 16] =
    [' ', '║', '═', '╚', '║', '║', '╔', '╠', '═', '╝', '═', '╩', '╗', '╣', '╦', '╬'];

impl<'a> Renderer<'a> {
    fn new(animation: &'a Animation<'a>, look: &'a Look) -> Self {
        let (from, to) = animation.extent();
        let (columns, rows) =
            ((to.column - from.column + 1) as usize, (to.row - from.row + 1) as usize);
        let cell_stride = if animation.scene.lines {
            4
        } else if 2 * columns <= look.width {
            2
        } else {
            1
        };
        Self { animation, look, from, columns, rows, cell_stride }
    }

    /// The width and height of a board in characters.
    fn size(&self) -> (usize, usize) {
        match self.animation.scene.lines {
            true => (self.cell_stride * self.columns + 1, 2 * self.rows + 1),
            false => (self.cell_stride * self.columns, self.rows),
        }
    }

    fn draw(
        &self,
        placements: &[Placement],
        step: Option<&Step>,
        paths: &[(usize, Vec<Cell>)],
    ) -> CharGrid {
        let Scene { ground, parts, .. } = &self.animation.scene;
        let parts: Vec<(&Part, Cell, Ink)> =
            parts.iter().zip(placements).map(|(part, &(at, ink))| (part, at, ink)).collect();
        self.draw_parts(&placed(ground), &parts, step, paths)
    }

    /// Draws the [target](Scene::target), if there is one.
    fn draw_target(&self) -> Option<CharGrid> {
        let target = &self.animation.scene.target;
        (!target.is_empty()).then(|| self.draw_parts(&placed(target), &[], None, &[]))
    }

    fn draw_parts(
        &self,
        ground: &[(&Part, Cell, Ink)],
        parts: &[(&Part, Cell, Ink)],
        step: Option<&Step>,
        paths: &[(usize, Vec<Cell>)],
    ) -> CharGrid {
        let (width, height) = self.size();
        let mut grid = CharGrid::blank(width, height);
        if self.animation.scene.lines {
            self.draw_edges(ground, parts, &mut grid);
            self.draw_goals(ground, parts, &mut grid);
        } else {
            ground
                .iter()
                .for_each(|&(part, at, ink)| self.draw_ground_cells(part, at, ink, &mut grid));
        }
        self.draw_paths(paths, &mut grid);
        for &(part, at, ink) in ground {
            self.draw_label(part, at, ink, "", &mut grid);
        }
        for (number, &(part, at, ink)) in parts.iter().enumerate() {
            let motion =
                step.and_then(|step| step.motions.iter().find(|motion| motion.part == number));
            let arrows = motion.map(|motion| self.arrows(&motion.path)).unwrap_or_default();
            self.draw_label(part, at, ink, &arrows, &mut grid);
        }
        grid
    }

    /// The column and row of the first character of a cell. With lines, those of its upper left
    /// corner. `None` outside the picture.
    fn position(&self, at: Cell) -> Option<(usize, usize)> {
        let column = usize::try_from(at.column - self.from.column).ok()?;
        let row = usize::try_from(at.row - self.from.row).ok()?;
        let lines = self.animation.scene.lines;
        let beyond = usize::from(lines);
        let within = column < self.columns + beyond && row < self.rows + beyond;
        within.then(|| {
            if lines {
                (self.cell_stride * column, 2 * row)
            } else {
                (self.cell_stride * column, row)
            }
        })
    }

    /// Draws cells of the ground on a board without lines: fills [walls](Ink::Wall), and sets the
    /// background of [board](Ink::Board) cells.
    fn draw_ground_cells(&self, part: &Part, at: Cell, ink: Ink, grid: &mut CharGrid) {
        if !matches!(part.shape, Shape::Cells(_)) {
            return;
        }
        let (symbol, style) = match ink {
            Ink::Wall if self.look.unicode => {
                ("█", Style { foreground: Some(ink.terminal()), ..Style::default() })
            }
            Ink::Wall => ("#", Style::default()),
            Ink::Board => (" ", Style { background: Some(ink.terminal()), ..Style::default() }),
            _ => return,
        };
        for position in part.cells(at).into_iter().filter_map(|cell| self.position(cell)) {
            grid.write(position, &symbol.repeat(self.cell_stride), style);
        }
    }

    /// Fills the cells of goals that no piece covers.
    fn draw_goals(
        &self,
        ground: &[(&Part, Cell, Ink)],
        parts: &[(&Part, Cell, Ink)],
        grid: &mut CharGrid,
    ) {
        let pieces = parts.iter().filter(|(part, ..)| matches!(part.shape, Shape::Cells(_)));
        let covered: BTreeSet<Cell> = pieces.flat_map(|(part, at, _)| part.cells(*at)).collect();
        let fill = if self.look.unicode { "░" } else { ":" }.repeat(self.cell_stride - 1);
        for &(part, at, ink) in ground.iter().filter(|(part, ..)| part.is_goal()) {
            for cell in part.cells(at).into_iter().filter(|cell| !covered.contains(cell)) {
                if let Some((column, row)) = self.position(cell) {
                    grid.write((column + 1, row + 1), &fill, self.style(Some(ink), None));
                }
            }
        }
    }

    /// Draws edges, and pieces with lines around them.
    fn draw_edges(
        &self,
        ground: &[(&Part, Cell, Ink)],
        parts: &[(&Part, Cell, Ink)],
        grid: &mut CharGrid,
    ) {
        let mut pieces: BTreeMap<Cell, (usize, Ink)> = BTreeMap::new();
        for (number, (part, at, ink)) in parts.iter().enumerate() {
            if matches!(part.shape, Shape::Cells(_)) {
                pieces.extend(part.cells(*at).into_iter().map(|cell| (cell, (number, *ink))));
            }
        }
        // The ink of each edge. The key is whether the edge is vertical, and the cell of which it
        // is the west or the north side.
        let mut edges: BTreeMap<(bool, Cell), Ink> = BTreeMap::new();
        let (right, below) =
            (self.from.column + self.columns as i32, self.from.row + self.rows as i32);
        let corners = (self.from.row..=below)
            .flat_map(|y| (self.from.column..=right).map(move |x| Cell { row: y, column: x }));
        for cell in corners.clone() {
            for (is_vertical, dx, dy) in [(true, 1, 0), (false, 0, 1)] {
                let [here, before] = [cell, Cell { row: cell.row - dy, column: cell.column - dx }]
                    .map(|cell| pieces.get(&cell).map(|piece| piece.0));
                if here != before {
                    edges.insert((is_vertical, cell), Ink::Text);
                }
            }
        }
        for (part, at, ink) in ground.iter().chain(parts) {
            if let Shape::Edge(side) = part.shape {
                edges.insert((side == Side::West, *at), *ink);
            }
        }
        let background = |cells: &[Cell]| {
            let mut cell_pieces = cells.iter().map(|cell| pieces.get(cell));
            let first = cell_pieces.next().flatten()?;
            cell_pieces.all(|other| other == Some(first)).then(|| first.1.terminal())
        };
        let cell = |x, y| Cell { row: y, column: x };
        for at @ Cell { row: y, column: x } in corners {
            let Some((column, row)) = self.position(at) else { continue };
            let around = [(true, cell(x, y - 1)), (false, at), (true, at), (false, cell(x - 1, y))];
            let directions = around.iter().enumerate().fold(0, |directions, (bit, edge)| {
                directions | u8::from(edges.contains_key(edge)) << bit
            });
            let ink =
                around.iter().filter_map(|edge| edges.get(edge)).max_by_key(|ink| match ink {
                    Ink::Hue(_) => 2,
                    Ink::Text => 0,
                    _ => 1,
                });
            let corner_background =
                background(&[at, cell(x - 1, y), cell(x, y - 1), cell(x - 1, y - 1)]);
            let dot = if self.look.unicode { "·" } else { "." };
            let symbol = match self.line(directions) {
                ' ' if corner_background.is_none() => dot.to_owned(),
                symbol => symbol.to_string(),
            };
            grid.write(
                (column, row),
                &symbol,
                self.style(ink.copied().or(Some(Ink::Floor)), corner_background),
            );
            let mut edge = |is_vertical: bool,
                            other: Cell,
                            position: (usize, usize),
                            symbol: char,
                            count: usize| {
                let ink = edges.get(&(is_vertical, at)).copied();
                let symbol = if ink.is_some() { symbol } else { ' ' };
                grid.write(
                    position,
                    &symbol.to_string().repeat(count),
                    self.style(ink, background(&[at, other])),
                );
            };
            edge(false, cell(x, y - 1), (column + 1, row), self.line(0b1010), self.cell_stride - 1);
            edge(true, cell(x - 1, y), (column, row + 1), self.line(0b0101), 1);
            if x < right && y < below {
                grid.write((column + 1, row + 1), "   ", self.style(None, background(&[at])));
            }
        }
    }

    fn style(&self, foreground: Option<Ink>, background: Option<u8>) -> Style {
        // Text keeps the terminal's own foreground colour.
        let foreground = foreground.filter(|ink| *ink != Ink::Text).map(Ink::terminal);
        Style { foreground, background, bold: false }
    }

    fn line(&self, directions: Directions) -> char {
        match directions {
            _ if self.look.unicode => BOX_LINES[usize::from(directions)],
            0 => ' ',
            0b0101 => '|',
            0b1010 => '-',
            _ => '+',
        }
    }

    /// Draws the paths of parts through the middles of cells. Where paths share a cell, the colour
    /// is that of the last one.
    fn draw_paths(&self, paths: &[(usize, Vec<Cell>)], grid: &mut CharGrid) {
        let mut lines: BTreeMap<Cell, (Directions, Ink)> = BTreeMap::new();
        for (number, path) in paths {
            let ink = self.animation.scene.parts[*number].ink;
            for pair in path.windows(2) {
                let (dx, dy) = (pair[1].column - pair[0].column, pair[1].row - pair[0].row);
                let Some(bit) =
                    NEIGHBOURS.into_iter().position(|offset| offset == (dx.signum(), dy.signum()))
                else {
                    continue;
                };
                let (step_x, step_y) = NEIGHBOURS[bit];
                for cells in 0..dx.abs().max(dy.abs()) {
                    let from = Cell {
                        row: pair[0].row + cells * step_y,
                        column: pair[0].column + cells * step_x,
                    };
                    let to = Cell { row: from.row + step_y, column: from.column + step_x };
                    for (at, end) in [(from, 1 << bit), (to, 1 << (bit ^ 2))] {
                        let line = lines.entry(at).or_insert((0, ink));
                        *line = (line.0 | end, ink);
                    }
                }
            }
        }
        let line = |directions: Directions| {
            if self.look.unicode { DOUBLE_BOX_LINES[usize::from(directions)] } else { '*' }
        };
        let (horizontal, vertical) = (line(0b1010), line(0b0101));
        for (at, (directions, ink)) in lines {
            let style = self.style(Some(ink), None);
            let Some((column, row)) = self.position(at) else { continue };
            let symbol = line(directions).to_string();
            if !self.animation.scene.lines {
                grid.write((column, row), &symbol, style);
                if directions & EAST != 0 && self.cell_stride > 1 {
                    grid.write((column + 1, row), &horizontal.to_string(), style);
                }
                continue;
            }
            grid.write((column + 2, row + 1), &symbol, style);
            let line_ends = [
                ((column + 2, row), vertical),
                ((column + 3, row + 1), horizontal),
                ((column + 2, row + 2), vertical),
                ((column + 1, row + 1), horizontal),
            ];
            for (bit, (position, symbol)) in line_ends.into_iter().enumerate() {
                // Do not overwrite an edge that the path crosses.
                let free = grid
                    .chars
                    .get(position.1 * grid.width + position.0)
                    .is_some_and(|styled| styled.0 == Some(' '));
                if directions >> bit & 1 == 1 && free {
                    grid.write(position, &symbol.to_string(), style);
                }
            }
            if directions & EAST != 0
                && grid
                    .chars
                    .get((row + 1) * grid.width + column + 4)
                    .is_some_and(|styled| styled.0 == Some(' '))
            {
                grid.write((column + 4, row + 1), &horizontal.to_string(), style);
            }
        }
    }

    /// Arrows for the directions of a path. Repeated directions give one arrow.
    fn arrows(&self, path: &[Cell]) -> String {
        let mut directions: Vec<usize> = path
            .windows(2)
            .filter_map(|pair| {
                NEIGHBOURS.iter().position(|&offset| {
                    offset == (pair[1].column - pair[0].column, pair[1].row - pair[0].row)
                })
            })
            .collect();
        directions.dedup();
        let arrows =
            if self.look.unicode { ['↑', '→', '↓', '←'] } else { ['^', '>', 'v', '<'] };
        directions.into_iter().map(|direction| arrows[direction]).collect()
    }

    /// Draws the label or the symbol of a part, and the arrows of its motion.
    fn draw_label(&self, part: &Part, at: Cell, ink: Ink, arrows: &str, grid: &mut CharGrid) {
        let text = match (&part.shape, ink) {
            (Shape::Edge(_), _) => return,
            _ if !part.label.is_empty() => part.label.clone(),
            (Shape::Cells(_) | Shape::Goal(_), _) => String::new(),
            // With colours both are filled discs. Without, only black ones are filled.
            (_, Ink::White) if self.look.unicode && !self.look.colour => "○".to_owned(),
            (_, Ink::White) if !self.look.unicode => ".".to_owned(),
            (_, Ink::Black) if !self.look.unicode => "X".to_owned(),
            _ if self.look.unicode => "●".to_owned(),
            _ => "o".to_owned(),
        };
        let style = match part.shape {
            Shape::Goal(_) => self.style(Some(ink), None),
            Shape::Disc | Shape::Figure(_) if part.label.is_empty() => {
                Style { bold: true, ..self.style(Some(ink), None) }
            }
            // Labels on floor and walls keep the background of the cell.
            _ if !matches!(ink, Ink::Hue(_)) => {
                Style { foreground: None, background: None, bold: true }
            }
            _ => Style {
                foreground: Some(ink.on().terminal()),
                background: Some(ink.terminal()),
                bold: true,
            },
        };
        if text.is_empty() && arrows.is_empty() {
            return;
        }
        let room = LabelRoom::of(part);
        let Some((column, row)) = self.position(at) else { return };
        if !self.animation.scene.lines {
            // A part of a name could be the name of another part.
            let text = if text.width() > self.cell_stride { "*".to_owned() } else { text };
            let text = truncate(&format!("{text}{arrows}"), self.cell_stride);
            grid.write((column, row), &text, style);
            return;
        }
        let columns = (4.0 * room.width) as usize - 1;
        let mut lines = room.lines(&text);
        if let Some(last) = lines.last_mut() {
            last.push_str(arrows);
        }
        // The middle can be left of or above the cell of the part.
        let offset = |from: usize, by: f64| from.saturating_add_signed(by.floor() as isize);
        let (middle_x, middle_y) = (offset(column, 4.0 * room.x), offset(row, 2.0 * room.y));
        let top = middle_y.saturating_sub((lines.len() - 1) / 2);
        for (number, line) in lines.iter().enumerate() {
            let line = truncate(line, columns);
            grid.write((middle_x.saturating_sub(line.width() / 2), top + number), &line, style);
        }
    }
}

/// Parts at the places where they start.
fn placed(parts: &[Part]) -> Vec<(&Part, Cell, Ink)> {
    parts.iter().map(|part| (part, part.at, part.ink)).collect()
}

/// The longest prefix of a text that fits in this many columns.
fn truncate(text: &str, columns: usize) -> String {
    let mut width = 0;
    let fits = |symbol: &char| {
        width += symbol.width().unwrap_or(0);
        width <= columns
    };
    text.chars().take_while(fits).collect()
}
