//! Rush Hour boards as lists of cars, in two forms.
//!
//! - CSV with the columns `car,orientation,col,row,length`, from 1, as the course files of the
//!   University of Amsterdam have them: `X` is the red car, and the board is a square.
//! - `jams.txt` of many solvers: a name, the number of rows, and for each car its column and row from
//!   0, `h` or `v`, and its length; the first is the red car, and `.` ends the list.

use fewest_rules::text::{Diagnostic, Line, Lines, number, quote};

use super::grid::Block;
use super::piece_name;
use crate::board::{BLANK, Board};
use crate::instance::{Axis, Instance, Lock};
use crate::parts::{Drawing, Parts, only_character};
use crate::rush_hour::red_car::{exit_row, parts};

const HEADER: &str = "car,orientation,col,row,length";
const RED: char = 'X';
/// The greatest number of rows.
const MAX_SIDE: usize = 64;
/// The rows of the boxed game.
const MOST_COMMON_SIDE: usize = 6;

/// A car, with the line that has it.
type Listed<'a> = (Line<'a>, Car);

struct Car {
    name: char,
    axis: Axis,
    row: usize,
    column: usize,
    length: usize,
}

pub(super) fn read<'a>(
    line: Line<'a>,
    lines: &mut Lines<'a>,
) -> Result<Option<Parts<'a>>, Diagnostic> {
    let mut block = Block::at(line, lines);
    let is_header = line.text.trim_ascii().replace(' ', "").eq_ignore_ascii_case(HEADER);
    let (side, cars) = if is_header {
        let cars = block.lines[1..].iter().enumerate();
        let cars =
            cars.map(|(index, &line)| csv_car(line, index)).collect::<Result<Vec<_>, _>>()?;
        (side_of(&cars), cars)
    } else {
        let Some((side, cars)) = jam(&mut block)? else { return Ok(None) };
        (side, cars)
    };
    let parts = board(line, side, &cars)?;
    block.take_from(lines);
    Ok(Some(parts))
}

/// The car of a line of a CSV file.
fn csv_car(line: Line<'_>, index: usize) -> Result<Listed<'_>, Diagnostic> {
    let wrong = || {
        let found = quote(line.text.trim_ascii());
        line.wrong(
            line.start(),
            found,
            "a car, `H` or `V`, its column, row and length: `A,H,2,1,2`",
        )
    };
    let fields: Vec<&str> = line.text.split(',').map(str::trim_ascii).collect();
    let [car, axis, column, row, length] = fields[..] else { return Err(wrong()) };
    let from_one = |text: &str| number::<usize>(text)?.checked_sub(1);
    let axis = axis_of(axis).ok_or_else(wrong)?;
    let place = from_one(row).zip(from_one(column)).ok_or_else(wrong)?;
    let length = number(length).ok_or_else(wrong)?;
    // Cars after `Z` have two letters.
    let name = only_character(car).or_else(|| piece_name(index + 26, RED)).ok_or_else(wrong)?;
    Ok((line, Car { name, axis, row: place.0, column: place.1, length }))
}

fn axis_of(text: &str) -> Option<Axis> {
    match text {
        "h" | "H" => Some(Axis::Horizontal),
        "v" | "V" => Some(Axis::Vertical),
        _ => None,
    }
}

/// The side, which the form does not have: 6 if all cars are on such a board; else the least one on
/// which they are, or one or two more if the row of the red car is that of the exit only then.
fn side_of(cars: &[Listed<'_>]) -> usize {
    let end = |(_, car): &Listed<'_>| match car.axis {
        Axis::Horizontal => (car.row + 1).max(car.column + car.length),
        Axis::Vertical => (car.row + car.length).max(car.column + 1),
    };
    let least = cars.iter().map(end).max().unwrap_or(0);
    let red = cars.iter().find(|(_, car)| car.name == RED).map(|(_, car)| car.row);
    if least <= MOST_COMMON_SIDE {
        return MOST_COMMON_SIDE;
    }
    (least..=least + 2).find(|&side| Some(exit_row(side)) == red).unwrap_or(least)
}

/// The side and the cars of a text in the form of `jams.txt`. Lines behind the end of the list are
/// removed from the block.
fn jam<'a>(block: &mut Block<'a>) -> Result<Option<(usize, Vec<Listed<'a>>)>, Diagnostic> {
    let side_at = |index: usize| -> Option<usize> {
        number(block.lines.get(index)?.text.trim_ascii())
            .filter(|side| (4..=MAX_SIDE).contains(side))
    };
    // The name may be missing.
    let Some((index, side)) = (0..2).find_map(|index| Some((index, side_at(index)?))) else {
        return Ok(None);
    };
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
            // Numbers may be a board in another form.
            None if cars.is_empty() && words.len() < 3 => return Ok(None),
            None => {
                let found = quote(line.text.trim_ascii());
                let expected = "the column and the row of a car from 0, `h` or `v`, and its length";
                return Err(line.wrong(line.start(), found, expected));
            }
        }
    }
    if cars.is_empty() {
        return Ok(None);
    }
    block.lines.truncate(end.map_or(block.lines.len(), |end| end + 1));
    Ok(Some((side, cars)))
}

/// The board of cars.
fn board<'a>(first: Line<'a>, side: usize, cars: &[Listed<'a>]) -> Result<Parts<'a>, Diagnostic> {
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
    match cars.iter().find(|(_, car)| car.name == RED) {
        Some((_, car)) if car.axis == Axis::Horizontal => {}
        Some(&(line, _)) => return at(line, "a vertical red car".to_owned(), "a horizontal one"),
        None => {
            return at(first, "no car `X`".to_owned(), "the red car, which leaves to the right");
        }
    }
    Ok(parts(Drawing { board: Board::of_cells(side, cells), positions }, RED, locks))
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
