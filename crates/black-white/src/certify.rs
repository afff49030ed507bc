//! What certificates are made of: prices of cells, and the boards that can be reached.

use fewest_core::budget::Budget;
use fewest_core::explore::Exploration;
use fewest_core::search::Search;
use fewest_puzzle::SolveError;
use fewest_puzzle::certify::Claim;
use fewest_puzzle::certifying::{Certifiable, Evidence, VisitBoard, below};

use crate::certificate::BoardRecords;
use crate::flow::prices;
use crate::instance::{Board, Instance};
use crate::puzzle::BlackWhite;
use crate::solve::space_for;

impl Certifiable for Instance {
    type Puzzle = BlackWhite;
    type Boards<'a> = BoardRecords<'a>;

    fn boards(&self) -> Result<BoardRecords<'_>, SolveError> {
        Ok(BoardRecords::new(self))
    }

    /// Prices prove each answer.
    fn evidence(
        &self,
        _: &BoardRecords<'_>,
        _: &Claim,
        budget: &Budget,
    ) -> Result<Vec<Evidence>, SolveError> {
        let numbers = prices(self, &mut budget.meter())?;
        Ok(vec![Evidence { numbers, ..Evidence::default() }])
    }

    fn visit_boards(
        &self,
        end: u32,
        budget: &Budget,
        visit: VisitBoard<'_, Board>,
    ) -> Result<Exploration, SolveError> {
        let space = space_for(self, "certify")?;
        let search = Search::new(&space).predecessors().ranked().budget(budget);
        let visit = below(end, |depth, state| visit(depth, &space.unpack(state)));
        Ok(search.explore_layers(visit).supported()?)
    }
}
