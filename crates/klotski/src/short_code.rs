//! Short codes: the number of a layout in five characters, as dnomd343's Klotski programs write it.
//!
//! All layouts with at least two blanks are sorted by their [codes](crate::code), and numbered from
//! 0. The number is written with 32 digits, which are the decimal digits and the capital letters
//! without `0`, `I`, `L` and `O`. Source: `src/core/short_code/short_code.h` of dnomd343/klotski,
//! which has both examples of the tests.

use std::collections::BTreeMap;

use fewest_rules::text::{Diagnostic, Line, Lines, quote};

use crate::board::Board;
use crate::code::{self, SHAPE_OF_BITS};
use crate::layout::{CELLS, LAYOUTS, footprint};

/// The digits of a number, in ascending order.
const DIGITS: &[u8; 32] = b"123456789ABCDEFGHJKMNPQRSTUVWXYZ";
const LENGTH: usize = 5;
/// The least number of blanks of a layout.
const MIN_BLANKS: usize = 2;
/// What a code may begin with to tell it apart from a code in hexadecimal digits.
const PREFIX: &str = "short:";

/// The part of a word that is a short code. A word of hexadecimal digits is another kind of code,
/// unless it begins with `short:`.
fn digits_of(word: &str) -> Option<&str> {
    if let Some(digits) = word.strip_prefix(PREFIX) {
        return Some(digits);
    }
    let is_digit = |byte: u8| DIGITS.contains(&byte);
    let is_hexadecimal = |byte: u8| byte.is_ascii_hexdigit();
    let is_short =
        word.len() == LENGTH && word.bytes().all(is_digit) && !word.bytes().all(is_hexadecimal);
    is_short.then_some(word)
}

/// Whether a word is a short code, valid or not.
pub fn looks_like_short_code(word: &str) -> bool {
    digits_of(word).is_some()
}

/// Decodes a short code that starts at byte `at` of `line`.
pub fn decode(line: Line<'_>, at: usize, word: &str) -> Result<Board, Diagnostic> {
    let digits = digits_of(word).unwrap_or(word);
    let at = at + word.len() - digits.len();
    if digits.chars().count() != LENGTH {
        let found = format!("the short code {}", quote(digits));
        return Err(line.wrong(at, found, format!("{LENGTH} characters after `{PREFIX}`")));
    }
    let mut number = 0;
    for (offset, character) in digits.char_indices() {
        let digit =
            DIGITS.iter().position(|&digit| char::from(digit) == character.to_ascii_uppercase());
        let wrong = || {
            let found = quote(character.encode_utf8(&mut [0; 4]));
            line.wrong(at + offset, found, "a digit or a letter other than `0`, `I`, `L` and `O`")
        };
        number = number * DIGITS.len() as u64 + digit.ok_or_else(wrong)? as u64;
    }
    if number >= LAYOUTS {
        let expected = format!("at most `{}`, the last layout", write(LAYOUTS - 1));
        return Err(line.wrong(at, format!("the short code {}", quote(digits)), expected));
    }
    let code = Numbering::default().code(number as u32);
    code::decode(line, at, &code)
}

/// The layout with a number below [`LAYOUTS`].
pub fn layout(number: u32) -> Option<Board> {
    let code = Numbering::default().code(number);
    let line = Lines::new(code.as_bytes()).next()?.ok()?;
    code::decode(line, 0, &code).ok()
}

/// The short code of a board of classic pieces with at least two blanks; `None` if it has fewer. It
/// begins with `short:` if it needs to.
pub fn encode(board: &Board) -> Option<String> {
    let mut fields = code::fields(board);
    let first = fields.next()?;
    let code = write(Numbering::default().number(first, fields)?.into());
    let is_ambiguous = digits_of(&code).is_none();
    Some(if is_ambiguous { format!("{PREFIX}{code}") } else { code })
}

/// Writes the number of a layout.
fn write(mut number: u64) -> String {
    let mut digits = [0; LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[number as usize % DIGITS.len()];
        number /= DIGITS.len() as u64;
    }
    digits.map(char::from).iter().collect()
}

/// Counts layouts that begin in the same way.
#[derive(Default)]
struct Numbering {
    /// The number of ways to go on, by the set of covered cells and the number of missing blanks.
    ways: BTreeMap<(u32, usize), u32>,
}

impl Numbering {
    /// The code of a layout.
    fn code(&mut self, mut number: u32) -> String {
        let mut code = String::new();
        let (mut covered, mut missing) = (0, MIN_BLANKS);
        for first in 0..CELLS {
            let Some(cells) = cells(first, (2, 2)) else { continue };
            let ways = self.ways(cells, MIN_BLANKS);
            if number < ways {
                code.push(code::hexadecimal(first));
                covered = cells;
                break;
            }
            number -= ways;
        }
        let mut fields = Vec::new();
        while covered.count_ones() < CELLS as u32 {
            for bits in 0..SHAPE_OF_BITS.len() {
                let Some((next, left)) = placed(covered, missing, bits) else { continue };
                let ways = self.ways(next, left);
                if number < ways {
                    fields.push(bits);
                    (covered, missing) = (next, left);
                    break;
                }
                number -= ways;
            }
        }
        code + &code::digits(&fields)
    }

    /// The number of a layout with the 2x2 at `first` and these fields; `None` if it has too few
    /// blanks.
    fn number(&mut self, first: usize, fields: impl Iterator<Item = usize>) -> Option<u32> {
        let mut covered = cells(first, (2, 2))?;
        let (mut number, mut missing) = (0, MIN_BLANKS);
        for before in (0..first).filter_map(|first| cells(first, (2, 2))) {
            number += self.ways(before, MIN_BLANKS);
        }
        for field in fields {
            for bits in 0..field {
                if let Some((next, left)) = placed(covered, missing, bits) {
                    number += self.ways(next, left);
                }
            }
            (covered, missing) = placed(covered, missing, field)?;
        }
        (missing == 0).then_some(number)
    }

    /// The number of ways to cover the other cells with at least `missing` blanks among them.
    fn ways(&mut self, covered: u32, missing: usize) -> u32 {
        if covered.count_ones() == CELLS as u32 {
            return u32::from(missing == 0);
        }
        if let Some(&ways) = self.ways.get(&(covered, missing)) {
            return ways;
        }
        let ways = (0..SHAPE_OF_BITS.len())
            .filter_map(|bits| placed(covered, missing, bits))
            .map(|(next, left)| self.ways(next, left))
            .sum();
        self.ways.insert((covered, missing), ways);
        ways
    }
}

/// The covered cells and the missing blanks after the first cell that is not covered got a blank or
/// a piece; `None` if the piece does not fit there.
fn placed(covered: u32, missing: usize, bits: usize) -> Option<(u32, usize)> {
    let first = covered.trailing_ones() as usize;
    if bits == 0 {
        return (first < CELLS).then(|| (covered | 1 << first, missing.saturating_sub(1)));
    }
    let cells = cells(first, SHAPE_OF_BITS[bits])?;
    (covered & cells == 0).then_some((covered | cells, missing))
}

/// The set of the cells of a piece.
fn cells(first: usize, shape: (usize, usize)) -> Option<u32> {
    let cells = footprint(first, shape)?;
    Some(cells.into_iter().fold(0, |set, cell| set | 1 << cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layouts_are_as_many_as_the_census_counts() {
        let mut numbering = Numbering::default();
        let firsts = (0..CELLS).filter_map(|first| cells(first, (2, 2)));
        let all: u32 = firsts.map(|first| numbering.ways(first, MIN_BLANKS)).sum();
        assert_eq!(u64::from(all), LAYOUTS);
    }

    #[test]
    fn the_published_examples_agree() {
        let mut numbering = Numbering::default();
        for (number, short, long) in
            [(4_091_296, "4WVE1", "1A9BF0C"), (10_399_732, "AXCZN", "4FEA134")]
        {
            assert_eq!(write(number.into()), short);
            assert_eq!(numbering.code(number).trim_end_matches('0'), long);
        }
    }

    #[test]
    fn numbers_and_codes_are_inverse_and_in_the_same_order() {
        let mut numbering = Numbering::default();
        let mut last = String::new();
        for number in (0..LAYOUTS as u32).step_by(29_501).chain([LAYOUTS as u32 - 1]) {
            let code = format!("{:0<9}", numbering.code(number));
            assert!(last < code, "{number}");
            let board = layout(number).expect("a layout");
            assert_eq!(code::encode(&board).trim_end_matches('0'), code.trim_end_matches('0'));
            let encoded = encode(&board).expect("two blanks");
            assert_eq!(digits_of(&encoded), Some(&*write(number.into())), "{code}");
            last = code;
        }
    }
}
