//! What certificates are made of: the boards of a component.

use fewest_core::budget::Budget;
use fewest_core::explore::Exploration;
use fewest_core::search::Search;
use fewest_puzzle::SolveError;
use fewest_puzzle::certifying::{Certifiable, VisitBoard, below};

use crate::board::Board;
use crate::certificate::BoardRecords;
use crate::puzzle::Klotski;
use crate::solve::check_encoding;
use crate::space::{BoardSpace, unpack};
use crate::task::Task;
use crate::with_space;

impl Certifiable for Task {
    type Puzzle = Klotski;
    type Boards<'a> = BoardRecords<'a>;

    fn boards(&self) -> Result<BoardRecords<'_>, SolveError> {
        BoardRecords::new(self)
            .ok_or_else(|| SolveError::unsupported("`certify` needs at most 255 pieces and blanks"))
    }

    fn visit_boards(
        &self,
        end: u32,
        budget: &Budget,
        visit: VisitBoard<'_, Board>,
    ) -> Result<Exploration, SolveError> {
        let start = self.instance.board();
        let visited = with_space!(check_encoding(self)?, |space| {
            let starts = [space.pack(start)];
            let search = Search::new(space).starting_from(&starts).predecessors().budget(budget);
            search.explore_layers(below(end, |depth, state| {
                visit(depth, &unpack(space, start, state))
            }))
        });
        Ok(visited?.supported()?)
    }
}
