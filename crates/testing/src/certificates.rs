//! Attacks on certificates: by mutants of true ones, and by searches with planted faults.
//!
//! The file format is written a second time here, so that a mistake in the first one is found.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::ops::ControlFlow;

use fewest_certificate::{BoardOf, Boards, Certificate, Claim, Proof, Refusal, StateList, check};
use fewest_rules::text::Lines;
use fewest_rules::{Costs, Rules};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// The memory of a check.
const MEMORY: u64 = 1 << 30;
const MAGIC_BYTES: usize = 21;

/// What a search does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlantedFault {
    /// It leaves out some successors.
    LosesSuccessors,
    /// It takes some new states for known ones.
    LosesStates,
    /// It overlooks goals.
    MissesGoals,
    /// It says that more moves are needed.
    WrongBound,
    /// It counts some states a move too far away.
    LateStates,
}

impl PlantedFault {
    /// All faults.
    pub const ALL: [Self; 5] = [
        Self::LosesSuccessors,
        Self::LosesStates,
        Self::MissesGoals,
        Self::WrongBound,
        Self::LateStates,
    ];
}

/// What a plain search by cost finds, by the rules alone.
pub struct Found {
    /// The states, each with its depth.
    pub states: StateList,
    /// The distance of the first solved board.
    pub cost: Option<u32>,
    /// The number of boards at each depth; those beyond the cost are missing if the search ended
    /// there.
    pub layers: Vec<u64>,
}

/// A search by cost (Dijkstra) of the boards below depth `end`, or of all boards, possibly with a
/// fault.
pub fn plain_states<B: Boards>(boards: &B, end: u32, fault: Option<PlantedFault>) -> Found {
    let rules = boards.rules();
    let record = |board: &BoardOf<B>| {
        let mut record = Vec::new();
        boards.write_record(board, &mut record).then_some(record)
    };
    let mut states = StateList::new(boards.record_bytes(), MEMORY);
    let (mut cost, mut layers, mut count) = (None, Vec::new(), 0_u64);
    let start = rules.start_board();
    let mut known = BTreeMap::from([(record(&start), 0)]);
    // By depths, and in the order in which they were generated.
    let mut queue = BTreeMap::from([((0, 0), start)]);
    while let Some(((depth, _), board)) = queue.pop_first() {
        // It may have been reached at a lesser depth since.
        if known.get(&record(&board)) != Some(&depth) {
            continue;
        }
        if rules.is_solved(&board) && fault != Some(PlantedFault::MissesGoals) {
            cost = cost.or(Some(depth));
        }
        if depth >= end {
            break;
        }
        let Some(name) = record(&board) else { continue };
        layers.resize(depth as usize + 1, 0);
        layers[depth as usize] += 1;
        states.push(&name, depth).expect("memory");
        let _ = boards.successors(&board, &mut |next, cost| {
            count += 1;
            let is_faulty = count.is_multiple_of(13);
            if is_faulty && fault == Some(PlantedFault::LosesSuccessors) {
                return ControlFlow::<()>::Continue(());
            }
            let late = u32::from(is_faulty && fault == Some(PlantedFault::LateStates));
            let depth = depth + cost + late;
            let least = known.entry(record(next)).or_insert(u32::MAX);
            if depth < *least {
                *least = depth;
                if !(is_faulty && fault == Some(PlantedFault::LosesStates)) {
                    queue.insert((depth, count), next.clone());
                }
            }
            ControlFlow::Continue(())
        });
    }
    Found { states, cost, layers }
}

/// What a plan costs.
fn cost_of<B: Boards>(boards: &B, plan: &str) -> u32 {
    let (rules, mut cost) = (boards.rules(), 0);
    let mut board = rules.start_board();
    for line in Lines::new(plan.as_bytes()) {
        let by = line.ok().and_then(|line| boards.read_move(line).ok()).expect("a move");
        cost += Costs::of(rules, &board, &by);
        rules.play(&mut board, &by).expect("a legal move");
    }
    cost
}

fn checked<B: Boards>(boards: &B, file: &[u8]) -> Result<Claim, Refusal> {
    check(boards, file, MEMORY, &|| false)
}

/// Checks that no certificate of a search with a fault is accepted, unless its claim is `truth`.
/// `plan` has a shortest plan, if there is one, and `longer` one of more moves. Returns the faults
/// whose certificates are refused: on some boards, some do no harm.
///
/// # Panics
/// If a false claim is accepted.
fn faults_are_found<B: Boards>(
    boards: &B,
    truth: &Claim,
    plan: &str,
    longer: Option<&str>,
) -> BTreeSet<PlantedFault> {
    let mut refused = BTreeSet::new();
    for fault in PlantedFault::ALL {
        let (claim, plan) = match (truth, fault, longer) {
            (Claim::Optimal { .. }, PlantedFault::WrongBound, Some(longer)) => {
                (Claim::Optimal { cost: cost_of(boards, longer) }, longer)
            }
            (Claim::Optimal { .. }, PlantedFault::MissesGoals, _) => (Claim::Unsolvable, ""),
            _ => (truth.clone(), plan),
        };
        let end = match claim {
            Claim::Optimal { cost } => cost,
            Claim::Unsolvable | Claim::Layers(_) => u32::MAX,
        };
        let found = plain_states(boards, end, Some(fault));
        let file = Certificate { claim: &claim, plan, proof: Proof::by_states(&found.states) };
        match checked(boards, &file.file(boards)) {
            Ok(claim) => assert_eq!(&claim, truth, "{fault:?} proves a false claim"),
            Err(Refusal::Memory) => panic!("{fault:?}: out of memory"),
            Err(_) => {
                refused.insert(fault);
            }
        }
    }
    refused
}

/// A certificate in parts.
#[derive(Clone)]
struct Parts(Vec<(u8, Vec<u8>)>);

impl Parts {
    fn read(file: &[u8]) -> Self {
        let mut rest = &file[MAGIC_BYTES..file.len() - 4];
        let mut sections = Vec::new();
        while !rest.is_empty() {
            let stored = u64::from_le_bytes(rest[9..17].try_into().expect("8 bytes")) as usize;
            let mut bytes = Vec::new();
            let mut decoder = DeflateDecoder::new(&rest[17..17 + stored]);
            decoder.read_to_end(&mut bytes).expect("deflate");
            sections.push((rest[0], bytes));
            rest = &rest[17 + stored..];
        }
        Self(sections)
    }

    fn write(&self) -> Vec<u8> {
        let mut file = b"fewest-certificate 1\n".to_vec();
        for (tag, bytes) in &self.0 {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(bytes).expect("a list");
            let stored = encoder.finish().expect("a list");
            file.push(*tag);
            file.extend((bytes.len() as u64).to_le_bytes());
            file.extend((stored.len() as u64).to_le_bytes());
            file.extend(stored);
        }
        with_checksum(file)
    }

    fn get(&mut self, tag: u8) -> Option<&mut Vec<u8>> {
        self.0.iter_mut().find(|(other, _)| *other == tag).map(|(_, bytes)| bytes)
    }

    /// The records and their depths; depth 0 if there are none.
    fn states(&mut self) -> Vec<(Vec<u8>, i64)> {
        let shared = self.get(b's').cloned().unwrap_or_default();
        let rest = self.get(b't').cloned().unwrap_or_default();
        let depths = numbers(&self.get(b'u').cloned().unwrap_or_default());
        let total: usize = shared.iter().map(|&equal| usize::from(equal)).sum::<usize>();
        let length = (total + rest.len()).checked_div(shared.len()).unwrap_or(0);
        let (mut record, mut rest, mut depth): (Vec<u8>, _, _) = (Vec::new(), &rest[..], 0);
        let mut states = Vec::new();
        for (state, &equal) in shared.iter().enumerate() {
            record.truncate(usize::from(equal));
            let (new, after) = rest.split_at(length - usize::from(equal));
            record.extend_from_slice(new);
            rest = after;
            let difference = depths.get(state).copied().unwrap_or(0);
            depth += (difference >> 1) as i64 ^ -((difference & 1) as i64);
            states.push((record.clone(), depth));
        }
        states
    }

    fn set_states(&mut self, states: &[(Vec<u8>, i64)]) {
        let (mut shared, mut rest, mut depths) = (Vec::new(), Vec::new(), Vec::new());
        let (mut last, mut last_depth): (&[u8], i64) = (&[], 0);
        for (record, depth) in states {
            let equal = last.iter().zip(record).take_while(|(one, other)| one == other).count();
            shared.push(equal as u8);
            rest.extend_from_slice(&record[equal..]);
            let difference = depth.wrapping_sub(last_depth);
            let mut number = (difference << 1 ^ difference >> 63) as u64;
            while number >= 0x80 {
                depths.push(number as u8 | 0x80);
                number >>= 7;
            }
            depths.push(number as u8);
            (last, last_depth) = (record, *depth);
        }
        let count = states.len();
        for (tag, bytes) in [(b's', shared), (b't', rest), (b'u', depths)] {
            if let Some(section) = self.get(tag) {
                *section = bytes;
            }
        }
        let claim = self.get(b'c').expect("a claim");
        let text = String::from_utf8(claim.clone()).expect("text");
        let at = text.rfind("states\t").expect("states") + 7;
        let after = text[at..].find(' ').expect("a space");
        *claim = format!("{}{count}{}", &text[..at], &text[at + after..]).into_bytes();
    }
}

fn numbers(bytes: &[u8]) -> Vec<u64> {
    let (mut numbers, mut number, mut shift) = (Vec::new(), 0, 0);
    for &byte in bytes {
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            numbers.push(number);
            (number, shift) = (0, 0);
        }
    }
    numbers
}

fn with_checksum(mut file: Vec<u8>) -> Vec<u8> {
    let checksum = crc32fast::hash(&file);
    file.extend(checksum.to_le_bytes());
    file
}

/// Numbers that look random, and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// The kinds of mutants of which some prove the same claim, and why: a depth may be less than the
/// distance as long as no successor's is more than one greater; states may be added at the last
/// depth, or to a closed set; another shortest plan is a plan; a certificate whose states happen to
/// be closed under mirror images may say so; and a changed byte of a section can be any of these.
const HARMLESS: [&str; 6] = ["depth", "swapped depths", "record", "plan", "claim", "byte"];

/// Makes `count` mutants of a true certificate, and checks that each is refused, or is harmless.
/// Returns how many of them were accepted.
///
/// # Panics
/// If a mutant proves something else, or one of a kind that is never harmless is accepted.
pub fn mutants_are_refused<B: Boards>(boards: &B, file: &[u8], count: usize) -> usize {
    let truth = checked(boards, file).expect("a true certificate");
    let mut parts = Parts::read(file);
    assert_eq!(checked(boards, &parts.write()).as_ref(), Ok(&truth), "a second writer");
    let states = parts.states();
    if !states.is_empty() {
        let mut again = parts.clone();
        again.set_states(&states);
        assert_eq!(checked(boards, &again.write()).as_ref(), Ok(&truth), "a second encoder");
    }
    let (mut numbers, mut accepted) = (Numbers(1), 0);
    for number in 0..count {
        let (kind, mutant) = mutant(number, &parts, &states, file, &mut numbers);
        if mutant == file {
            continue;
        }
        match checked(boards, &mutant) {
            Ok(claim) => {
                assert!(HARMLESS.contains(&kind), "mutant {number} is accepted: {kind}");
                assert_eq!(claim, truth, "mutant {number}: {kind}");
                accepted += 1;
            }
            Err(refusal) => assert_ne!(refusal, Refusal::Memory, "mutant {number}: {kind}"),
        }
    }
    accepted
}

fn mutant(
    number: usize,
    parts: &Parts,
    states: &[(Vec<u8>, i64)],
    file: &[u8],
    numbers: &mut Numbers,
) -> (&'static str, Vec<u8>) {
    let mut parts = parts.clone();
    let mut states = states.to_vec();
    let count = states.len();
    let at = numbers.below(count);
    let kind = match number % 10 {
        0 if count > 0 => {
            states.remove(at);
            parts.set_states(&states);
            "dropped state"
        }
        1 if count > 0 && parts.get(b'u').is_some() => {
            states[at].1 += [1, -1, 2, 1 << 32, (1 << 32) - 1, -1 << 32][numbers.below(6)];
            parts.set_states(&states);
            "depth"
        }
        2 if count > 1 && parts.get(b'u').is_some() => {
            let other = numbers.below(count);
            (states[at].1, states[other].1) = (states[other].1, states[at].1);
            parts.set_states(&states);
            "swapped depths"
        }
        3 if count > 0 => {
            let byte = numbers.below(states[at].0.len());
            states[at].0[byte] ^= 1 << numbers.below(8);
            states.sort_unstable();
            parts.set_states(&states);
            "record"
        }
        4 if count > 1 => {
            let other = numbers.below(count);
            states.swap(at, other);
            parts.set_states(&states);
            if at == other { "plan" } else { "order" }
        }
        5 if parts.get(b'p').is_some_and(|plan| !plan.is_empty()) => {
            let plan = parts.get(b'p').expect("a plan");
            let mut lines: Vec<_> = plan.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            lines.pop();
            let line = numbers.below(lines.len());
            match numbers.below(3) {
                0 => drop(lines.remove(line)),
                1 => lines.insert(line, lines[line].clone()),
                _ => {
                    let other = numbers.below(lines.len());
                    lines.swap(line, other);
                }
            }
            *plan = lines.into_iter().flat_map(|line| [line, b"\n".to_vec()].concat()).collect();
            "plan"
        }
        6 => {
            let claim = parts.get(b'c').expect("a claim");
            let byte = numbers.below(claim.len());
            claim[byte] = *b"0123456789 \nyesno".get(numbers.below(17)).expect("17 of them");
            "claim"
        }
        7 => {
            let mut cut = file[..numbers.below(file.len())].to_vec();
            if numbers.below(2) == 0 {
                cut = with_checksum(cut);
            }
            return ("truncated", cut);
        }
        8 => {
            let mut flipped = file.to_vec();
            flipped[numbers.below(file.len())] ^= 1 << numbers.below(8);
            return ("flipped bit", flipped);
        }
        _ => {
            let section = numbers.below(parts.0.len());
            let bytes = &mut parts.0[section].1;
            if !bytes.is_empty() {
                let byte = numbers.below(bytes.len());
                bytes[byte] ^= 1 << numbers.below(8);
            }
            "byte"
        }
    };
    (kind, parts.write())
}

/// Checks that sections that inflate to far more than they say, or say that they are huge, are
/// refused without being inflated.
///
/// # Panics
/// If one is accepted.
pub fn bombs_are_refused<B: Boards>(boards: &B, file: &[u8]) {
    let parts = Parts::read(file);
    for index in 0..parts.0.len() {
        let mut huge = parts.clone();
        huge.0[index].1.extend(vec![0; 64 << 20]);
        // What the section says it has is corrected to what it had.
        let honest = huge.write();
        assert!(checked(boards, &honest).is_err());
        let mut at = MAGIC_BYTES;
        for _ in 0..index {
            let stored = u64::from_le_bytes(honest[at + 9..at + 17].try_into().expect("8 bytes"));
            at += 17 + stored as usize;
        }
        for bytes in [parts.0[index].1.len() as u64, u64::MAX, 1 << 40] {
            let mut lying = honest[..honest.len() - 4].to_vec();
            lying[at + 1..at + 9].copy_from_slice(&bytes.to_le_bytes());
            assert!(check(boards, &with_checksum(lying), 1 << 20, &|| false).is_err());
        }
    }
}

/// Certifies an instance by a plain search, and attacks the certificates: of the answer, with
/// mirror images if `has_mirrors`, and of the layers. `plan` has a shortest plan, if there is one,
/// and `idle` moves from the start after which the board is the start again.
///
/// # Panics
/// If a true certificate is refused, or a false claim is accepted.
pub fn certificates_hold<B: Boards>(
    boards: &B,
    cost: Option<u32>,
    plan: &str,
    idle: Option<&str>,
    has_mirrors: bool,
    mutants: usize,
) -> Held {
    let longer = idle.map(|idle| format!("{idle}{plan}"));
    let longer = longer.as_deref();
    let all = plain_states(boards, u32::MAX, None);
    assert_eq!(all.cost, cost, "the plain search");
    let layers = Claim::Layers(all.layers.clone());
    let file = Certificate { claim: &layers, plan: "", proof: Proof::by_states(&all.states) };
    let of_layers = file.file(boards);
    assert_eq!(checked(boards, &of_layers), Ok(layers.clone()));
    let (claim, found) = match cost {
        Some(cost) => (Claim::Optimal { cost }, plain_states(boards, cost, None)),
        None => (Claim::Unsolvable, all),
    };
    let of_answer = |states: &StateList, has_mirrors| {
        let file = Certificate {
            claim: &claim,
            plan,
            proof: Proof { has_mirrors, ..Proof::by_states(states) },
        }
        .file(boards);
        assert_eq!(checked(boards, &file), Ok(claim.clone()), "mirrors: {has_mirrors}");
        file
    };
    let plain = of_answer(&found.states, false);
    let folded = has_mirrors.then(|| of_answer(&least_images(boards, &found.states), true));
    let sizes = [plain.len(), folded.as_ref().map_or(0, Vec::len)];
    let halves = halves(boards, &claim, plan, longer);
    let files: Vec<_> =
        [Some(plain), folded, Some(of_layers), halves].into_iter().flatten().collect();
    for file in &files {
        mutants_are_refused(boards, file, mutants);
        // Too little memory is no refusal.
        assert_eq!(check(boards, file, 16, &|| false), Err(Refusal::Memory));
    }
    let mut refused = faults_are_found(boards, &claim, plan, longer);
    refused.extend(faults_are_found(boards, &layers, "", None));
    Held { files, sizes, refused }
}

/// What [`certificates_hold`] found.
pub struct Held {
    /// The true certificates.
    pub files: Vec<Vec<u8>>,
    /// The sizes of the certificates of the answer, without and with mirror images.
    pub sizes: [usize; 2],
    /// The faults whose certificates are refused.
    pub refused: BTreeSet<PlantedFault>,
}

/// The certificate by a ball around the start and one around the goal; `None` if the instance
/// cannot be reversed. Those of searches with faults, and of a longer plan, are refused.
fn halves<B: Boards>(
    boards: &B,
    claim: &Claim,
    plan: &str,
    longer: Option<&str>,
) -> Option<Vec<u8>> {
    let &Claim::Optimal { cost } = claim else { return None };
    let reversed = boards.reversed().ok().filter(|_| cost > 0)?;
    let greatest = *Costs::range(boards.rules()).end();
    let file = |cost: u32, plan: &str, faults: [Option<PlantedFault>; 2]| {
        let back_end = cost.min(cost.div_ceil(2) + greatest - 1);
        let end = cost.min(cost + greatest - back_end);
        let ball = plain_states(boards, end, faults[0]).states;
        let back = plain_states(&reversed, back_end, faults[1]).states;
        let proof = Proof { back: Some((&back, back_end)), ..Proof::by_states(&ball) };
        Certificate { claim: &Claim::Optimal { cost }, plan, proof }.file(boards)
    };
    let truth = file(cost, plan, [None; 2]);
    assert_eq!(checked(boards, &truth).as_ref(), Ok(claim), "two halves");
    if let Some(longer) = longer {
        let cost = cost_of(boards, longer);
        let refused = checked(boards, &file(cost, longer, [None; 2]));
        assert!(matches!(refused, Err(Refusal::State { .. })), "two halves of a longer plan");
        for fault in
            [PlantedFault::LosesSuccessors, PlantedFault::LosesStates, PlantedFault::LateStates]
        {
            for faults in [[Some(fault), None], [None, Some(fault)]] {
                let refused = checked(boards, &file(cost, longer, faults));
                assert!(refused.is_err(), "two halves with {faults:?}");
            }
        }
    }
    Some(truth)
}

/// One of each pair of mirror images.
fn least_images<B: Boards>(boards: &B, states: &StateList) -> StateList {
    let mut least = StateList::new(boards.record_bytes(), MEMORY);
    for (record, depth) in states.iter() {
        let board = boards.read_record(record).expect("a board");
        let mut image = Vec::new();
        if let Some(mirrored) = boards.mirror(&board) {
            boards.write_record(&mirrored, &mut image);
        }
        let is_less = !image.is_empty() && image[..] < *record;
        least.push(if is_less { &image } else { record }, depth).expect("memory");
    }
    least
}
