//! Maps and scenarios in the format of the MovingAI benchmarks.

/// A cell as `(column, row)`, from 0.
pub type Position = (usize, usize);

/// A map of one corridor that winds through a square, and its cells from end to end. The side is
/// odd.
pub fn serpentine(side: usize) -> (String, Vec<Position>) {
    let (mut rows, mut cells) = (Vec::new(), Vec::new());
    for y in 0..side {
        let goes_east = y / 2 % 2 == 0;
        let turn = if goes_east { side - 1 } else { 0 };
        if y % 2 == 0 {
            rows.push(".".repeat(side));
            cells.extend((0..side).map(|x| (if goes_east { x } else { side - 1 - x }, y)));
        } else {
            rows.push((0..side).map(|x| if x == turn { '.' } else { '@' }).collect());
            cells.push((turn, y));
        }
    }
    (octile(&rows), cells)
}

/// The routes of agents that go from the first cells of a corridor to the last ones, in the same
/// order.
pub fn routes_through(corridor: &[Position], agents: usize) -> Vec<(Position, Position)> {
    let goals = &corridor[corridor.len() - agents..];
    corridor.iter().copied().zip(goals.iter().copied()).collect()
}

/// A map file with these rows.
pub fn octile(rows: &[String]) -> String {
    let (height, width) = (rows.len(), rows[0].len());
    format!("type octile\nheight {height}\nwidth {width}\nmap\n{}\n", rows.join("\n"))
}

/// A scenario file for a square map. A route is the start and the goal of an agent.
pub fn scenario(routes: impl IntoIterator<Item = (Position, Position)>, side: usize) -> String {
    routes.into_iter().fold("version 1\n".to_owned(), |text, ((x, y), (to_x, to_y))| {
        text + &format!("0\tm.map\t{side}\t{side}\t{x}\t{y}\t{to_x}\t{to_y}\t0\n")
    })
}
