//! How the answers of other programs are judged.

use fewest_geometry::Direction;
use fewest_puzzle::Puzzle;
use fewest_puzzle::judge::{AnswerText, Judge, WrongAnswer, advanced, broken, check_plan};
use fewest_puzzle::random::Random;
use fewest_puzzle::words::counted;
use fewest_rules::Verified;
use fewest_rules::text::quote;

use crate::generate::{MazeOptions, maze};
use crate::instance::{Edge, Instance};
use crate::puzzle::{DEFAULT_SIZE, WallPusher};

impl Judge<Instance> for WallPusher {
    /// Checks the letters of a plan on one line, or the word of a maze without a plan.
    fn check(
        &self,
        maze: &Instance,
        fewest: Option<u32>,
        answer: &mut AnswerText<'_>,
    ) -> Result<(), WrongAnswer> {
        let Some(fewest) = fewest else {
            return answer.expect_number(None).map(drop);
        };
        let expected = || {
            let moves = counted(WallPusher::unit(maze), fewest);
            format!("a plan of {moves}, as letters W, N, E and S")
        };
        let line = answer.expect_line(expected)?;
        let letters = line.text.trim();
        let plan: Option<Vec<Direction>> = letters.chars().map(Direction::from_letter).collect();
        match plan {
            Some(plan) => check_plan(maze, WallPusher::unit(maze), fewest, plan, line),
            None => Err(WrongAnswer::on_line(line, quote(letters), expected())),
        }
    }

    /// Mazes with shorter plans or fewer inner walls, or with a gap less.
    fn smaller(&self, maze: &Instance, plan: Option<&Verified<Instance>>) -> Vec<Instance> {
        let size = maze.size();
        let mut all = advanced(maze, plan);
        all.extend(Edge::all(size).filter_map(|edge| {
            let (mut walls, has_wall) = (*maze.walls(), maze.walls().has(edge));
            walls.set(edge, edge.is_border(size));
            let is_smaller = has_wall != edge.is_border(size);
            is_smaller.then(|| Instance::new(size, walls, maze.start())).flatten()
        }));
        all
    }

    /// A random maze with few or many walls and gaps.
    fn random(&self, random: &mut Random) -> Instance {
        let (walls, gaps) = (20 + random.below(61), random.below(5));
        maze(MazeOptions { size: DEFAULT_SIZE, walls, gaps }, random)
    }

    /// Published solutions of the contest problem do not end on a maze without a plan.
    fn broken_guarantees(&self, maze: &Instance, has_plan: bool) -> Vec<&'static str> {
        broken([("4 x 6 cells", maze.size() == DEFAULT_SIZE), ("a plan", has_plan)])
    }
}
