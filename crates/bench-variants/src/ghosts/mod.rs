//! Ghosts in a haunted house: all move at once, none through another (UVa 1601).
//!
//! A program is given all data sets, as a judge would have it, and each has three ghosts at most.

pub mod breadth_first;
pub mod informed;

/// A place in a house.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

/// A house with its ghosts; walls stand all around it.
#[derive(Clone, Debug)]
pub struct House {
    rows: Vec<Vec<u8>>,
    starts: Vec<Place>,
    goals: Vec<Place>,
}

impl House {
    /// The data sets of a well-formed input, each without its ghosts beyond the first `ghosts`.
    pub fn read(text: &str, ghosts: usize) -> Vec<Self> {
        let mut lines = text.lines();
        let mut houses = Vec::new();
        while let Some(line) = lines.next() {
            let sizes: Vec<usize> =
                line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            let &[width, height, count] = sizes.as_slice() else { continue };
            if width == 0 {
                break;
            }
            let row = |line: &str| format!("{line:<width$}").into_bytes();
            let rows: Vec<_> = lines.by_ref().take(height).map(row).collect();
            let place = |letter: u8| {
                let mut found = rows.iter().enumerate().flat_map(|(y, row)| {
                    row.iter()
                        .position(|&other| other == letter)
                        .map(|x| Place { x: x as u8, y: y as u8 })
                });
                found.next().expect("each ghost has a start and a goal")
            };
            let letters = 0..count.min(ghosts) as u8;
            let starts = letters.clone().map(|ghost| place(b'a' + ghost)).collect();
            let goals = letters.map(|ghost| place(b'A' + ghost)).collect();
            houses.push(Self { rows, starts, goals });
        }
        houses
    }

    fn ghosts(&self) -> usize {
        self.starts.len()
    }

    /// Two places that no ghost can leave or enter: corners of the walls.
    fn isolated(&self) -> [Place; 2] {
        [Place { x: 0, y: 0 }, Place { x: self.rows[0].len() as u8 - 1, y: 0 }]
    }

    /// Where a ghost comes to that stays or goes one of four ways; `None` is a wall.
    fn step(&self, from: Place, way: usize) -> Option<Place> {
        const WAYS: [(u8, u8); 5] = [(0, 0), (0, u8::MAX), (u8::MAX, 0), (1, 0), (0, 1)];
        let to = Place { x: from.x.wrapping_add(WAYS[way].0), y: from.y.wrapping_add(WAYS[way].1) };
        let open = |place: Place| {
            self.rows
                .get(place.y as usize)
                .and_then(|row| row.get(place.x as usize))
                .is_some_and(|&cell| cell != b'#')
        };
        (way == 0 || open(to)).then_some(to)
    }

    fn around(&self, from: Place) -> impl Iterator<Item = Place> + '_ {
        (0..5).filter_map(move |way| self.step(from, way))
    }
}

/// Every joint step from the cells of all ghosts, given where each may go alone.
fn joint_steps<const N: usize, C: Copy + Eq, I: Iterator<Item = C>>(
    from: &[C; N],
    around: &impl Fn(C) -> I,
    emit: &mut impl FnMut([C; N]),
) {
    fn place<const N: usize, C: Copy + Eq, I: Iterator<Item = C>>(
        ghost: usize,
        from: &[C; N],
        to: &mut [C; N],
        around: &impl Fn(C) -> I,
        emit: &mut impl FnMut([C; N]),
    ) {
        if ghost == N {
            return emit(*to);
        }
        for cell in around(from[ghost]) {
            let collides =
                |other: usize| cell == to[other] || cell == from[other] && from[ghost] == to[other];
            if !(0..ghost).any(collides) {
                to[ghost] = cell;
                place(ghost + 1, from, to, around, emit);
            }
        }
    }
    place(0, from, &mut from.clone(), around, emit);
}

/// The cells of a house by number, with the cells around each, and itself.
struct Numbered {
    places: Vec<Place>,
    numbers: Vec<[u16; 256]>,
    around: Vec<Vec<u16>>,
}

impl Numbered {
    /// The open cells of a house, and after them the two isolated places.
    fn new(house: &House) -> Self {
        let mut places = Vec::new();
        for (y, row) in house.rows.iter().enumerate() {
            let open = (0..row.len()).filter(|&x| row[x] != b'#');
            places.extend(open.map(|x| Place { x: x as u8, y: y as u8 }));
        }
        places.extend(house.isolated());
        let mut numbers = vec![[0; 256]; house.rows.len()];
        for (number, place) in places.iter().enumerate() {
            numbers[place.y as usize][place.x as usize] = number as u16;
        }
        let number = |place: Place| numbers[place.y as usize][place.x as usize];
        let around =
            places.iter().map(|&place| house.around(place).map(number).collect()).collect();
        Self { places, numbers, around }
    }

    fn number(&self, place: Place) -> u16 {
        self.numbers[place.y as usize][place.x as usize]
    }

    /// The cells of all ghosts as the digits of one number.
    fn pack<const N: usize>(&self, cells: [u16; N]) -> u32 {
        cells.iter().fold(0, |state, &cell| state * self.places.len() as u32 + u32::from(cell))
    }

    fn unpack<const N: usize>(&self, mut state: u32) -> [u16; N] {
        let mut cells = [0; N];
        for cell in cells.iter_mut().rev() {
            *cell = (state % self.places.len() as u32) as u16;
            state /= self.places.len() as u32;
        }
        cells
    }

    /// How many numbers there are for `ghosts` cells.
    fn states(&self, ghosts: usize) -> usize {
        self.places.len().pow(ghosts as u32)
    }
}

/// The first `N` of the places, filled up with isolated ones.
fn filled_up<const N: usize>(house: &House, places: &[Place]) -> [Place; N] {
    let mut dummies = house.isolated().into_iter();
    std::array::from_fn(|ghost| {
        places.get(ghost).copied().or_else(|| dummies.next()).expect("three ghosts at most")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Program = fn(&[House]) -> Vec<crate::Found>;

    const PROGRAMS: [Program; 10] = [
        breadth_first::structs,
        breadth_first::packed,
        breadth_first::fx,
        breadth_first::own_table,
        breadth_first::cleared,
        breadth_first::stamped,
        breadth_first::numbered,
        breadth_first::lists,
        breadth_first::exact,
        informed::astar,
    ];

    fn moves(program: Program, houses: &[House]) -> Vec<Option<u32>> {
        program(houses).iter().map(|found| found.moves).collect()
    }

    #[test]
    fn every_program_answers_the_sample() {
        let houses = House::read(include_str!("../../../../testdata/halloween/sample.in"), 3);
        for program in PROGRAMS.into_iter().chain([informed::bidirectional as Program]) {
            assert_eq!(moves(program, &houses), [Some(7), Some(36), Some(77)]);
        }
    }

    #[test]
    fn fewer_ghosts_take_no_more_moves_with_and_without_dummies() {
        let text = include_str!("../../../../testdata/halloween/community_10x5.in");
        for ghosts in [1, 2] {
            let houses = House::read(text, ghosts);
            let exact = moves(breadth_first::exact, &houses);
            assert_eq!(moves(breadth_first::lists, &houses), exact);
            assert_eq!(moves(informed::astar, &houses), exact);
            let all = moves(breadth_first::exact, &House::read(text, 3));
            assert!(all.iter().zip(&exact).all(|(all, fewer)| all.is_none() || fewer <= all));
        }
    }

    #[test]
    fn the_programs_that_only_keep_states_otherwise_do_the_same_work() {
        let houses =
            House::read(include_str!("../../../../testdata/halloween/community_10x5.in"), 3);
        let first = breadth_first::structs(&houses);
        for program in &PROGRAMS[1..9] {
            let found = program(&houses);
            // The order of cells is the same, so the order of states is, too.
            assert_eq!(found, first);
        }
    }
}
