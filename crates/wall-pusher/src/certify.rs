//! What certificates are made of: the boards that can be reached.

use fewest_core::budget::Budget;
use fewest_core::explore::Exploration;
use fewest_core::search::Search;
use fewest_puzzle::SolveError;
use fewest_puzzle::certifying::{Certifiable, VisitBoard, below};

use crate::certificate::BoardRecords;
use crate::instance::Instance;
use crate::puzzle::WallPusher;
use crate::relaxation::Relaxation;
use crate::rules::Board;
use crate::space::{Abstraction, with_space};

impl Certifiable for Instance {
    type Puzzle = WallPusher;
    type Boards<'a> = BoardRecords<'a>;

    fn boards(&self) -> Result<BoardRecords<'_>, SolveError> {
        Ok(BoardRecords(self))
    }

    fn visit_boards(
        &self,
        end: u32,
        budget: &Budget,
        visit: VisitBoard<'_, Board>,
    ) -> Result<Exploration, SolveError> {
        let relaxation = Relaxation::new(self);
        let visited = with_space!(self, &relaxation, Abstraction::IDENTITY, |space| {
            let search = Search::new(space).budget(budget);
            search.explore_layers(below(end, |depth, state| visit(depth, &space.unpack(state))))
        });
        Ok(visited?.supported()?)
    }
}
