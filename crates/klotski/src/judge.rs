//! How the answers of other programs are judged.

use fewest_puzzle::judge::{Judge, advanced, broken};
use fewest_puzzle::random::Random;
use fewest_rules::Verified;

use crate::board::Board;
use crate::instance::Instance;
use crate::layout::LAYOUTS;
use crate::plan::Metric;
use crate::puzzle::Klotski;
use crate::short_code;
use crate::task::Task;

impl Judge<Task> for Klotski {
    /// Boards with shorter plans, with fewer pieces, or with smaller ones.
    fn smaller(&self, task: &Task, plan: Option<&Verified<Task>>) -> Vec<Task> {
        let (instance, board) = (&task.instance, task.instance.board());
        let mut all = advanced(task, plan);
        let mut add = |board: Board| {
            all.extend(instance.with_board(board).ok().map(|instance| Task { instance, ..*task }));
        };
        let pieces: Vec<char> = board
            .pieces()
            .into_iter()
            .filter(|&piece| instance.goals().iter().all(|goal| goal.piece != piece))
            .collect();
        for &piece in &pieces {
            let mut fewer = board.clone();
            fewer.put(piece, &[]);
            add(fewer);
        }
        for &piece in &pieces {
            let cells = board.cells_of(piece);
            if let [_, _, ..] = cells[..] {
                for kept in [&cells[..1], &cells[cells.len() - 1..]] {
                    let mut single = board.clone();
                    single.put(piece, kept);
                    add(single);
                }
            }
        }
        all
    }

    /// A random layout of all that have at least two blanks.
    fn random(&self, random: &mut Random) -> Task {
        loop {
            let board = short_code::layout(random.below(LAYOUTS as usize) as u32);
            let layout = board.and_then(|board| Instance::new(board, Vec::new(), Vec::new()).ok());
            if let Some(layout) = layout {
                return Task::new(layout, Metric::Rectilinear);
            }
        }
    }

    /// A board without a plan is part of the format.
    fn broken_guarantees(&self, task: &Task, _: bool) -> Vec<&'static str> {
        broken([("a classic board", task.instance.is_classic())])
    }
}
