//! The census of all classic layouts, compared with published figures and with searches of single
//! components.

use std::collections::BTreeSet;

use fewest_core::budget::Budget;
use fewest_klotski::Instance;
use fewest_klotski::census::{all_dominoes, components};
use fewest_klotski::space::classic::{SKELETON_COUNTS, Space};
use fewest_klotski::space::{BoardSpace, Unit};
use fewest_testing::spaces::explore_states;

#[test]
fn census_matches_published_figures() {
    let all: Vec<_> =
        all_dominoes().flat_map(|(standing, lying)| components(standing, lying)).collect();
    assert_eq!(all.len(), 25_422);
    assert_eq!(all.iter().map(|component| component.layouts).sum::<u64>(), 29_334_498);
    assert_eq!(all.iter().map(|component| component.layouts).max(), Some(964_656));
    assert_eq!(all.iter().filter(|component| component.layouts == 1).count(), 8);
}

/// Each component is the set of all layouts that are reachable from its example layout. The
/// components are disjoint, and together they contain all layouts with their pieces.
#[test]
fn components_match_explorations_of_their_layouts() {
    for (standing, lying) in [(2, 5), (5, 1), (0, 6), (3, 2), (4, 2), (7, 0)] {
        let mut visited = BTreeSet::new();
        let mut layouts = 0;
        // Pieces with many singles have too many layouts for a test.
        let is_small = |singles| standing + lying > 5 || singles < 3;
        for component in components(standing, lying) {
            let pieces = component.pieces;
            if !is_small(pieces.singles) {
                continue;
            }
            let layout = Instance::new(component.layout, vec![], vec![]).expect("a classic layout");
            let space = Space::<Unit>::new(&layout).expect("classic pieces");
            let mut solvable = false;
            let all = explore_states(&space, &Budget::unlimited(), |_, state| {
                assert!(visited.insert(state), "{layout}");
                solvable |= fewest_core::StateSpace::is_goal(&space, state);
            });
            assert_eq!(
                (all.states(), solvable),
                (component.layouts, component.solvable),
                "{layout}"
            );
            let packed = space.pieces(space.pack(layout.board()));
            let count = |class| packed.iter().filter(|piece| piece.0 == class).count();
            assert_eq!(
                [count(0), count(1), count(2)],
                [pieces.singles, pieces.standing, pieces.lying]
            );
            assert!(pieces.blanks().is_some_and(|blanks| blanks >= 2));
            layouts += all.states();
        }
        let free = 16 - 2 * (standing + lying);
        let single_placements = |singles| {
            (0..singles).fold(1, |count, single| count * (free - single) / (single + 1)) as u64
        };
        let skeletons = u64::from(SKELETON_COUNTS[standing][lying]);
        assert_eq!(
            layouts,
            (0..=free - 2)
                .filter(|&singles| is_small(singles))
                .map(|singles| skeletons * single_placements(singles))
                .sum::<u64>()
        );
    }
}
