//! Levels, and sets of their squares.

/// A set of squares: bit `row * width + column`.
pub type Squares = u128;

pub struct Level {
    width: u32,
    height: u32,
    /// The squares that are no walls and that the player could reach if there were no boxes.
    pub floor: Squares,
    pub goals: Squares,
    pub boxes: Squares,
    pub player: u32,
    /// The distances between neighbouring squares: left, right, up, down.
    pub steps: [i32; 4],
    /// The squares from which a box can reach a goal if there is no other box.
    pub live_squares: Squares,
    pub live: Vec<u8>,
    /// The inverse of `live`.
    pub live_index: [u8; 128],
}

pub const ARROWS: [char; 4] = ['←', '→', '↑', '↓'];

/// The members of a set in ascending order.
pub fn squares(mut set: Squares) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (square < Squares::BITS).then_some(square)
    })
}

/// The squares that are one step from those of a set. A wall surrounds each level, so no step
/// leaves the board.
pub fn shifted(set: Squares, step: i32) -> Squares {
    if step > 0 { set << step } else { set >> -step }
}

impl Level {
    /// Reads the rows of a level: `#` wall, `.` goal, `$` box, `@` player, `*` box on a goal, `+`
    /// player on a goal.
    fn new(rows: &[&str]) -> Result<Self, String> {
        let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        if rows.len() * columns > 128 {
            return Err(format!("{} x {columns} squares, at most 128 fit", rows.len()));
        }
        let all = |characters: &str| {
            let mut set: Squares = 0;
            for (row, text) in rows.iter().enumerate() {
                for (column, character) in text.chars().enumerate() {
                    if characters.contains(character) {
                        set |= 1 << (row * columns + column);
                    }
                }
            }
            set
        };
        let (walls, boxes, goals, players) = (all("#"), all("$*"), all(".*+"), all("@+"));
        if players.count_ones() != 1 || boxes.count_ones() != goals.count_ones() {
            return Err("expected one player, and as many boxes as goals".to_owned());
        }
        let (width, height) = (columns as u32, rows.len() as u32);
        let player = players.trailing_zeros();
        let steps = [-1, 1, -(width as i32), width as i32];
        let mut level = Self {
            width,
            height,
            floor: !walls & (u128::MAX >> (128 - rows.len() * columns)),
            goals,
            boxes,
            player,
            steps,
            live_squares: 0,
            live: Vec::new(),
            live_index: [0; 128],
        };
        level.floor = level.reachable(0, player);
        let border = (0..rows.len() * columns)
            .filter(|square| {
                let (row, column) = (square / columns, square % columns);
                row == 0 || row == rows.len() - 1 || column == 0 || column == columns - 1
            })
            .fold(0, |set, square| set | 1 << square);
        if level.floor & border != 0 || (boxes | goals) & !level.floor != 0 {
            return Err("expected walls around the player and all boxes and goals".to_owned());
        }
        level.live_squares = goals;
        loop {
            let before = level.live_squares;
            for step in steps {
                level.live_squares |= level.pulled(before, step);
            }
            if level.live_squares == before {
                break;
            }
        }
        level.live = squares(level.live_squares).map(|square| square as u8).collect();
        for (index, &square) in level.live.iter().enumerate() {
            level.live_index[usize::from(square)] = index as u8;
        }
        Ok(level)
    }

    /// The squares to which a lone box can be pulled by one step: from there, a push in the other
    /// direction brings it back. The player needs a floor square behind it.
    pub fn pulled(&self, boxes: Squares, step: i32) -> Squares {
        shifted(boxes, step) & self.floor & shifted(self.floor, -step)
    }

    /// The squares that the player can reach without a push.
    pub fn reachable(&self, boxes: Squares, player: u32) -> Squares {
        let free = self.floor & !boxes;
        let mut reachable: Squares = 1 << player;
        loop {
            let next =
                self.steps.iter().fold(reachable, |next, &step| next | shifted(reachable, step));
            let next = next & free;
            if next == reachable {
                return reachable;
            }
            reachable = next;
        }
    }

    /// The number of squares, walls included.
    pub fn squares(&self) -> u32 {
        self.width * self.height
    }

    /// The rows as they are read. What the player could not reach is a wall.
    pub fn text(&self) -> String {
        let character = |square: u32| {
            let is_in = |set: Squares| set >> square & 1 == 1;
            let (is_goal, is_box) = (is_in(self.goals), is_in(self.boxes));
            match (is_goal, is_box, square == self.player) {
                _ if !is_in(self.floor) => '#',
                (false, true, _) => '$',
                (true, true, _) => '*',
                (false, _, true) => '@',
                (true, _, true) => '+',
                (true, ..) => '.',
                _ => ' ',
            }
        };
        let row = |row| (row * self.width..(row + 1) * self.width).map(character);
        (0..self.height).flat_map(|number| row(number).chain(['\n'])).collect()
    }

    pub fn row_and_column(&self, square: u32) -> (u32, u32) {
        (square / self.width + 1, square % self.width + 1)
    }
}

/// Reads all levels of a text. Lines that do not start with a wall, after blanks, separate levels.
pub fn read(text: &str) -> Result<Vec<Level>, String> {
    let (mut levels, mut rows) = (Vec::new(), Vec::new());
    for line in text.lines().chain([""]) {
        if line.trim_start().starts_with('#') {
            rows.push(line.trim_end());
        } else if !rows.is_empty() {
            let level = Level::new(&rows);
            levels.push(level.map_err(|error| format!("level {}: {error}", levels.len() + 1))?);
            rows.clear();
        }
    }
    Ok(levels)
}
