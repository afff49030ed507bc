//! Certificates: they hold, and false claims are refused.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use fewest_certificate::{Boards, Certificate, Claim, Proof, Refusal, StateList, check};
use fewest_core::budget::Budget;
use fewest_core::progress::ProgressCounters;
use fewest_geometry::Direction;
use fewest_halloween::certificate::BoardRecords;
use fewest_halloween::plan::JointStep;
use fewest_halloween::solve::solve;
use fewest_halloween::{Instance, rules::Board};
use fewest_puzzle::certify::{Certify, Subject};
use fewest_puzzle::certifying::Certifiable;
use fewest_rules::Rules;
use fewest_testing::certificates::{
    PlantedFault, bombs_are_refused, certificates_hold, mutants_are_refused, plain_states,
};

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes()).next().expect("a data set").expect("well-formed")
}

const TEXTS: [&str; 4] = [
    "5 5 2\n#####\n#A#B#\n#   #\n#b#a#\n#####\n",
    "3 2 2\naAb\n# B\n",
    "4 1 2\nabBA\n",
    "3 3 3\nabc\n   \nCAB\n",
];

#[test]
fn answers_and_layers_of_small_maps_are_certified_and_attacked() {
    let count = fewest_testing::count(1000);
    let mut refused = BTreeSet::new();
    for text in TEXTS {
        let instance = read(text);
        let outcome = solve(&instance, None, &Budget::unlimited()).expect("an answer").outcome;
        let plan: Option<String> =
            outcome.optimal().map(|plan| plan.iter().map(|step| format!("{step}\n")).collect());
        let plan = plan.unwrap_or_default();
        let records = BoardRecords::new(&instance).expect("records");
        // All ghosts may stay.
        let held = certificates_hold(&records, outcome.cost(), &plan, Some("-\n"), false, count);
        held.files.iter().for_each(|file| bombs_are_refused(&records, file));
        refused.extend(held.refused);
    }
    assert_eq!(refused, PlantedFault::ALL.into(), "each fault is found");
}

#[test]
fn a_check_counts_its_steps() {
    let counters = Arc::new(ProgressCounters::default());
    let budget = Budget::unlimited().with_progress(Arc::clone(&counters));
    let made = read(TEXTS[0]).certify(Subject::Layers, &budget);
    made.expect("a certificate");
    assert!(counters.checked() > 0 && counters.last_layers() == [0, 0], "{counters:?}");
}

/// The steps of a certificate are those that the rules accept, of all combinations of directions.
#[test]
fn successors_are_those_of_the_rules() {
    for text in TEXTS {
        let instance = read(text);
        let records = BoardRecords::new(&instance).expect("records");
        let key = |board: &Board| board.cells().to_vec();
        for (record, _) in plain_states(&records, 4, None).states.iter() {
            let board = records.read_record(record).expect("a board");
            let mut found = BTreeSet::new();
            let _ = records.successors(&board, &mut |next, _| {
                found.insert(key(next));
                ControlFlow::<()>::Continue(())
            });
            let ghosts = instance.ghosts().len();
            let choices: Vec<_> = Direction::ALL.map(Some).into_iter().chain([None]).collect();
            let expected: BTreeSet<_> = (0..5_usize.pow(ghosts as u32))
                .filter_map(|number| {
                    let choice = |ghost: u32| choices[number / 5_usize.pow(ghost) % 5];
                    let step = JointStep((0..ghosts as u32).map(choice).collect());
                    let mut next = board.clone();
                    instance.play(&mut next, &step).is_ok().then(|| key(&next))
                })
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}

/// The certificates that the solver makes: by tables of one or two ghosts, or by boards of a group.
#[test]
fn tables_and_groups_prove_answers_and_no_others() {
    let count = fewest_testing::count(500);
    for (text, kind) in [
        // One ghost has the longest way.
        ("7 2 3\n#aB  A#\n#b c C#\n", "numbers"),
        // Two ghosts have to pass each other.
        ("7 3 2\n#######\n#aB bA#\n### ###\n", "numbers"),
        // A third one is far away.
        ("9 3 3\n#########\n#aB bA#c#\n### ###C#\n", "numbers"),
        // No two of the three ghosts need as many steps.
        ("4 2 3\n b B\ncAaC\n", "states"),
        // The same, beside four that only step down.
        ("12 2 7\n b B#d#e#f#g\ncAaC#D#E#F#G\n", "part"),
        // A goal that is out of reach, alone and because of the other ghost.
        ("5 2 2\na#A B\n #b  \n", "numbers"),
        ("6 1 2\nabBA  \n", "numbers"),
        ("3 3 3\nabc\n###\nCAB\n", "numbers"),
    ] {
        let instance = read(text);
        let made = instance.certify(Subject::Answer, &Budget::unlimited());
        let made = made.expect("a certificate");
        let records = BoardRecords::new(&instance).expect("records");
        let plain = plain_states(&records, u32::MAX, None).cost;
        let expected = plain.map_or(Claim::Unsolvable, |moves| Claim::Optimal { cost: moves });
        assert_eq!(made.claim, expected, "{text}");
        assert_eq!(made.states == 0, kind == "numbers", "{text}: {} states", made.states);
        for evidence in
            instance.evidence(&records, &made.claim, &Budget::unlimited()).expect("evidence")
        {
            let is_part = !evidence.part.is_empty();
            assert_eq!(is_part, kind == "part", "{text}: {:?}", evidence.part);
        }
        mutants_are_refused(&records, &made.file, count);
        bombs_are_refused(&records, &made.file);
        let stopped = check(&records, &made.file, u64::MAX, &|| true);
        assert_eq!(stopped, Err(Refusal::Stopped), "{text}");
    }
}

/// Where a table of two ghosts would be too large, boards are tried without one: all, and two
/// halves, of which the smaller file is taken.
#[test]
fn maps_that_are_too_large_for_tables_are_certified() {
    let rest = format!("####{}\n", " ".repeat(250)).repeat(9);
    let text = format!("254 11 3\n b B{}\ncAaC{}\n{rest}", "#".repeat(250), "#".repeat(250));
    let instance = read(&text);
    let made = instance.certify(Subject::Answer, &Budget::unlimited());
    let made = made.expect("a certificate");
    assert_eq!(made.claim, Claim::Optimal { cost: 4 });
    let records = BoardRecords::new(&instance).expect("records");
    let ball = plain_states(&records, 4, None).states.len();
    assert!((1..=ball).contains(&made.states), "{} of {ball} boards", made.states);
    mutants_are_refused(&records, &made.file, fewest_testing::count(500));
}

/// A file could say how many tables it has, and each takes memory and time.
#[test]
fn a_table_that_is_there_twice_is_refused() {
    let instance = read("5 2 2\na#A B\n #b  \n");
    let records = BoardRecords::new(&instance).expect("records");
    let claim = Claim::Unsolvable;
    let evidence = instance.evidence(&records, &claim, &Budget::unlimited()).expect("evidence");
    let (once, none) = (&evidence[0].numbers, StateList::new(records.record_bytes(), 0));
    for (numbers, is_accepted) in [(once.clone(), true), (once.repeat(2), false)] {
        let proof = Proof { numbers: &numbers, ..Proof::by_states(&none) };
        let file = Certificate { claim: &claim, plan: "", proof }.file(&records);
        assert_eq!(check(&records, &file, 1 << 30, &|| false).is_ok(), is_accepted);
    }
}
