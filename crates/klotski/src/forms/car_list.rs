//! Rush Hour boards as lists of cars, in two forms.
//!
//! - CSV with the columns `car,orientation,col,row,length`, from 1, as the course files of the
//!   University of Amsterdam have them: `X` is the red car, and the board is a square.
//! - `jams.txt` of many solvers: a name, the number of rows, and for each car its column and row
//!   from 0, `h` or `v`, and its length; the first is the red car, and `.` ends the list.

use fewest_rules::text::{Diagnostic, Line, number, quote};

use super::grid::Block;
use super::{piece_name, piece_names};
use crate::board::{BLANK, Board};
use crate::instance::{Axis, Instance, Lock};
use crate::parts::{Drawing, Parts, only_character};
use crate::rush_hour::red_car::{exit_row, parts};

const HEADER: &str = "car,orientation,col,row,length";
const RED: char = 'X';
/// The greatest number of rows.
const MAX_SIDE: usize = 64;
/// The rows of the boxed game, and of the boards of the course.
const COMMON_SIDES: [usize; 3] = [6, 9, 12];

/// A car, with the line that has it.
type Listed<'a> = (Line<'a>, Car);

struct Car {
    name: char,
    axis: Axis,
    row: usize,
    column: usize,
    length: usize,
}

/// Reads the cars of a block. `asked` is the red car of an option. Lines behind the end of a list
/// are removed from the block.
pub(super) fn read<'a>(
    block: &mut Block<'a>,
    asked: Option<char>,
) -> Result<Option<Parts<'a>>, Diagnostic> {
    let first = block.lines[0];
    let is_header = first.text.trim_ascii().replace(' ', "").eq_ignore_ascii_case(HEADER);
    let red = asked.filter(|_| is_header).unwrap_or(RED);
    let (side, cars) = if is_header {
        let cars = csv_cars(&block.lines[1..])?;
        (side_of(&cars, red), cars)
    } else {
        let Some((side, cars)) = jam(block)? else { return Ok(None) };
        (side, cars)
    };
    board(first, side, &cars, red).map(Some)
}

/// The cars of the lines of a CSV file. Those with longer names get characters that no other has.
fn csv_cars<'a>(lines: &[Line<'a>]) -> Result<Vec<Listed<'a>>, Diagnostic> {
    let given = |line: &Line<'_>| only_character(line.text.split(',').next()?.trim_ascii());
    let taken: Vec<char> = lines.iter().filter_map(given).chain([RED]).collect();
    let mut free = piece_names().filter(|name| !taken.contains(name));
    let car = |&line: &Line<'a>| csv_car(line, given(&line).or_else(|| free.next()));
    lines.iter().map(car).collect()
}

/// The car of a line of a CSV file.
fn csv_car(line: Line<'_>, name: Option<char>) -> Result<Listed<'_>, Diagnostic> {
    let wrong = || {
        let found = quote(line.text.trim_ascii());
        line.wrong(
            line.start(),
            found,
            "a car, `H` or `V`, its column, row and length: `A,H,2,1,2`",
        )
    };
    let fields: Vec<&str> = line.text.split(',').map(str::trim_ascii).collect();
    let [_, axis, column, row, length] = fields[..] else { return Err(wrong()) };
    let from_one = |text: &str| number::<usize>(text)?.checked_sub(1);
    let axis = axis_of(axis).ok_or_else(wrong)?;
    let place = from_one(row).zip(from_one(column)).ok_or_else(wrong)?;
    let length = number(length).ok_or_else(wrong)?;
    let name = name.ok_or_else(wrong)?;
    Ok((line, Car { name, axis, row: place.0, column: place.1, length }))
}

fn axis_of(text: &str) -> Option<Axis> {
    match text {
        "h" | "H" => Some(Axis::Horizontal),
        "v" | "V" => Some(Axis::Vertical),
        _ => None,
    }
}

/// The side, which the form does not have: the first of 6, 9 and 12 rows on which all cars are and
/// the red one is in the row of the exit, or else the least that has all cars, from 6 on.
fn side_of(cars: &[Listed<'_>], red: char) -> usize {
    let end = |(_, car): &Listed<'_>| match car.axis {
        Axis::Horizontal => (car.row + 1).max(car.column.saturating_add(car.length)),
        Axis::Vertical => car.row.saturating_add(car.length).max(car.column + 1),
    };
    let least = cars.iter().map(end).max().unwrap_or(0);
    let red_row = cars.iter().find(|(_, car)| car.name == red).map(|(_, car)| car.row);
    let is_likely = |&side: &usize| side >= least && Some(exit_row(side)) == red_row;
    COMMON_SIDES.into_iter().find(is_likely).unwrap_or(least.max(COMMON_SIDES[0]))
}

/// The side and the cars of a text in the form of `jams.txt`. Lines behind the end of the list are
/// removed from the block.
fn jam<'a>(block: &mut Block<'a>) -> Result<Option<(usize, Vec<Listed<'a>>)>, Diagnostic> {
    // The name may be missing. Without a car below the size, it is a board in another form.
    let words = |index: usize| -> Vec<&str> {
        block
            .lines
            .get(index)
            .map_or_else(Vec::new, |line| line.text.split_ascii_whitespace().collect())
    };
    let is_size =
        |index: usize| matches!(words(index)[..], [size] if number::<usize>(size).is_some());
    let is_car = |index: usize| {
        let words = words(index);
        words.len() == 4 && words.iter().filter(|word| number::<usize>(word).is_some()).count() == 3
    };
    let Some(index) = (0..2).find(|&index| is_size(index) && is_car(index + 1)) else {
        return Ok(None);
    };
    let line = block.lines[index];
    let size = line.text.trim_ascii();
    let side = number(size).filter(|side| (4..=MAX_SIDE).contains(side)).ok_or_else(|| {
        line.wrong(line.start(), quote(size), format!("a number of rows from 4 to {MAX_SIDE}"))
    })?;
    let mut cars = Vec::new();
    let end = block.lines.iter().position(|line| line.text.trim_ascii() == ".");
    for &line in &block.lines[index + 1..end.unwrap_or(block.lines.len()).max(index + 1)] {
        let words: Vec<&str> = line.text.split_ascii_whitespace().collect();
        let car = match words[..] {
            [column, row, axis, length] => axis_of(axis).and_then(|axis| {
                let name = if cars.is_empty() { RED } else { piece_name(cars.len() - 1, RED)? };
                let (row, column, length) = (number(row)?, number(column)?, number(length)?);
                Some((line, Car { name, axis, row, column, length }))
            }),
            _ => None,
        };
        match car {
            Some(car) => cars.push(car),
            None => {
                let found = quote(line.text.trim_ascii());
                let expected = "the column and the row of a car from 0, `h` or `v`, and its length";
                return Err(line.wrong(line.start(), found, expected));
            }
        }
    }
    block.lines.truncate(end.map_or(block.lines.len(), |end| end + 1));
    Ok(Some((side, cars)))
}

/// The board of cars.
fn board<'a>(
    first: Line<'a>,
    side: usize,
    cars: &[Listed<'a>],
    red: char,
) -> Result<Parts<'a>, Diagnostic> {
    let at = |line: Line<'a>, found: String, expected: &str| {
        Err(line.wrong(line.start(), found, expected))
    };
    let is_too_large = side > MAX_SIDE;
    let mut cells = vec![BLANK; if is_too_large { 0 } else { side * side }];
    let mut positions = vec![(first, first.start()); cells.len()];
    let mut locks = Vec::new();
    for &(line, Car { name, axis, row, column, length }) in cars {
        let end = match axis {
            Axis::Horizontal => column.saturating_add(length),
            Axis::Vertical => row.saturating_add(length),
        };
        let found = format!("car {}", quote(&name.to_string()));
        if length < 2 {
            return at(line, format!("{found} of length {length}"), "a length of 2 or more");
        }
        if is_too_large || end > side || row >= side || column >= side {
            let within = side.min(MAX_SIDE);
            let found = format!("{found} beyond row or column {within}");
            return at(line, found, &format!("a car within {within} rows and columns"));
        }
        if cells.contains(&name) {
            return at(line, format!("a second {found}"), "each car once");
        }
        for offset in 0..length {
            let cell = match axis {
                Axis::Horizontal => row * side + column + offset,
                Axis::Vertical => (row + offset) * side + column,
            };
            if cells[cell] != BLANK {
                let other = quote(&cells[cell].to_string());
                return at(line, format!("{found} on a cell of car {other}"), "a blank cell");
            }
            cells[cell] = name;
            positions[cell] = (line, line.start());
        }
        locks.push(Lock { piece: name, axis });
    }
    match cars.iter().find(|(_, car)| car.name == red) {
        Some((_, car)) if car.axis == Axis::Horizontal => {}
        Some(&(line, _)) => return at(line, "a vertical red car".to_owned(), "a horizontal one"),
        None => {
            let found = format!("no car `{red}`");
            return at(first, found, "the red car, which leaves to the right");
        }
    }
    Ok(parts(Drawing { board: Board::of_cells(side, cells), positions }, red, locks))
}

/// The cars of a board, the red one first.
fn cars_of(instance: &Instance) -> Option<Vec<Car>> {
    let board = instance.board();
    let [goal] = instance.goals() else { return None };
    let mut cars = Vec::new();
    for piece in board.pieces() {
        let cells = board.cells_of(piece);
        let axis = instance.lock(piece)?;
        let (row, column) = (cells[0] / board.columns(), cells[0] % board.columns());
        // Another car may have the name of the red one.
        let name = match piece {
            red if red == goal.piece => RED,
            RED => goal.piece,
            car => car,
        };
        cars.push(Car { name, axis, row, column, length: cells.len() });
    }
    cars.sort_by_key(|car| car.name != RED);
    Some(cars)
}

pub(super) fn write_csv(instance: &Instance) -> Option<String> {
    let line = |Car { name, axis, row, column, length }| {
        let axis = if axis == Axis::Horizontal { 'H' } else { 'V' };
        format!("{name},{axis},{},{},{length}\n", column + 1, row + 1)
    };
    let lines = cars_of(instance)?.into_iter().map(line);
    Some(format!("{HEADER}\n{}", lines.collect::<String>()))
}

pub(super) fn write_jam(instance: &Instance) -> Option<String> {
    let line = |Car { axis, row, column, length, .. }| {
        let axis = if axis == Axis::Horizontal { 'h' } else { 'v' };
        format!("{column} {row} {axis} {length}\n")
    };
    let lines = cars_of(instance)?.into_iter().map(line);
    Some(format!("{}\n{}.\n", instance.board().rows(), lines.collect::<String>()))
}
