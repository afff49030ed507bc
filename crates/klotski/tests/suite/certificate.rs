//! Certificates: they hold, they are small, and false claims are refused.

use crate::layouts::{read, task};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use fewest_certificate::{Boards, Claim, Proof, Refusal, check};
use fewest_core::budget::Budget;
use fewest_klotski::Metric;
use fewest_klotski::certificate::BoardRecords;
use fewest_klotski::solve::solve;
use fewest_rules::Rules;
use fewest_testing::certificates::{
    PlantedFault, bombs_are_refused, certificates_hold, plain_states,
};

/// The fewest moves, and a shortest plan as text.
fn plans(text: &str, metric: Metric) -> (Option<u32>, String) {
    let outcome = solve(&task(&read(text), metric), None, &Budget::unlimited());
    let outcome = outcome.expect("a plan").outcome;
    let lines = outcome.optimal().map(|plan| plan.iter().map(|by| format!("{by}\n")).collect());
    (outcome.cost(), lines.unwrap_or_default())
}

/// The move back.
fn undone(line: &str) -> String {
    let back = line.chars().skip(1).map(|way| match way {
        'N' => 'S',
        'S' => 'N',
        'E' => 'W',
        _ => 'E',
    });
    line.chars().take(1).chain(back.collect::<Vec<_>>().into_iter().rev()).collect()
}

#[test]
fn answers_and_layers_of_small_boards_are_certified_and_attacked() {
    let (count, mut refused) = (fewest_testing::count(1000), BTreeSet::new());
    for (text, metric, has_mirrors) in [
        ("aab\n.cb\n.dd\ngoal: b at 1,2\n", Metric::Unit, false),
        ("aAAb\naAAb\n.cc.\ngoal: A at 2,2\n", Metric::Rectilinear, false),
        ("AA.\nAA.\n...\ngoal: A at 2,2\n", Metric::Straight, false),
        ("AA..\n#...\ngoal: A at 2,1\n", Metric::Unit, false),
        (".AA.\n.AA.\nb..c\n....\ngoal: A at 3,2\n", Metric::Unit, true),
        (".AA.\n.AA.\nbccd\n....\ngoal: A at 3,2\n", Metric::Rectilinear, true),
    ] {
        let instance = read(text);
        let task = task(&instance, metric);
        let boards = BoardRecords::new(&task).expect("records");
        let (cost, plan) = plans(text, metric);
        let idle = plan.lines().next().map(|first| format!("{first}\n{}\n", undone(first)));
        let held = certificates_hold(&boards, cost, &plan, idle.as_deref(), has_mirrors, count);
        held.files.iter().for_each(|file| bombs_are_refused(&boards, file));
        refused.extend(held.refused);
    }
    assert_eq!(refused, PlantedFault::ALL.into(), "each fault is found");
}

/// The moves of a certificate are those that the rules list, one after the other.
#[test]
fn successors_are_those_of_the_rules() {
    for text in [".AA.\n.AA.\nbccd\n....\ngoal: A at 3,2\n", "横刀立马"] {
        for metric in Metric::ALL {
            let task = task(&read(text), metric);
            let records = BoardRecords::new(&task).expect("records");
            for (record, _) in plain_states(&records, 4, None).states.iter() {
                let board = records.read_record(record).expect("a board");
                let mut found = Vec::new();
                let _ = records.successors(&board, &mut |next, _| {
                    found.push(next.clone());
                    ControlFlow::<()>::Continue(())
                });
                let played = task.moves(&board).into_iter().map(|slide| {
                    let mut next = board.clone();
                    task.play(&mut next, &slide).expect("a legal move");
                    next
                });
                assert_eq!(found, played.collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn heng_dao_li_ma_takes_few_bytes() {
    let task = task(&read("横刀立马"), Metric::Rectilinear);
    let boards = BoardRecords::new(&task).expect("records");
    let (cost, plan) = plans("横刀立马", Metric::Rectilinear);
    assert_eq!(cost, Some(81));
    let [unfolded, folded] = certificates_hold(&boards, cost, &plan, None, true, 10).sizes;
    assert!(unfolded <= 27_000 && folded <= 16_000, "{unfolded} and {folded} bytes");
    let other = crate::layouts::task(&read("指挥若定"), Metric::Rectilinear);
    let other = BoardRecords::new(&other).expect("records");
    let found = plain_states(&boards, 81, None);
    let claim = Claim::Optimal { cost: 81 };
    let certificate = fewest_certificate::Certificate {
        claim: &claim,
        plan: &plan,
        proof: Proof::by_states(&found.states),
    };
    let refused =
        check(&other, &certificate.file(&boards), 1 << 30, &|| false).expect_err("another board");
    assert!(matches!(&refused, Refusal::Differs { field, .. } if field == "board"), "{refused}");
}

#[test]
fn records_are_those_of_their_boards() {
    for text in ["横刀立马", "aab\n.cb\n.dd\ngoal: b at 1,2\n", "AB.\nAABB\n...\n"] {
        let Some(Ok(instance)) = fewest_klotski::Instance::read(text.as_bytes()).next() else {
            continue;
        };
        let task = task(&instance, Metric::Unit);
        let boards = BoardRecords::new(&task).expect("records");
        let found = plain_states(&boards, 12, None);
        for (record, _) in found.states.iter() {
            let board = boards.read_record(record).expect("a board");
            let mut again = Vec::new();
            boards.write_record(&board, &mut again);
            assert_eq!(again, record);
            if let Some(image) = boards.mirror(&board) {
                let back = boards.mirror(&image).expect("a board");
                again.clear();
                boards.write_record(&back, &mut again);
                assert_eq!(again, record, "the mirror image of the mirror image");
            }
        }
    }
}
