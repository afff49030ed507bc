//! A process that cannot take part says why, so that the others do not wait for it.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::thread;
use std::time::{Duration, Instant};

use fewest_core::checkpoint::Question;

use crate::handshake::{Greeting, Refusal, Role, greet, welcome, write_frame};
use crate::meeting::{connect_to, encode_cause};
use crate::{Cause, Membership, Reason};

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// The fields of the question of a process that leaves.
const TEXT: &str = "reason";
const CODE: &str = "exit code";

/// Tells the processes of a cluster that this one does not take part, and why: process 0, which tells the others, or
/// as process 0 those that come. They end with [`ConnectError::Left`](crate::ConnectError::Left). Returns when they
/// know, at the latest after the patience of the membership, whose question does not matter.
pub fn withdraw(membership: &Membership, reason: &Reason) {
    let end = Instant::now() + membership.patience;
    if membership.process == 0 {
        tell_those_who_come(membership, reason, end);
    } else {
        tell_first(membership, reason, end);
    }
}

/// Why a process leaves, from its greeting.
pub(crate) fn reason_of(question: &Question) -> Reason {
    let field = |name: &str| question.fields().find(|&(field, _)| field == name);
    Reason {
        text: field(TEXT).map_or_else(String::new, |(_, text)| text.to_owned()),
        code: field(CODE).and_then(|(_, code)| code.parse().ok()).unwrap_or(0),
    }
}

fn tell_first(membership: &Membership, reason: &Reason, end: Instant) {
    let Membership { process, coordinator, secret, .. } = membership;
    let question = Question::new([(TEXT, reason.text.clone()), (CODE, reason.code.to_string())]);
    let (role, process, address) = (Role::Leaving, *process, String::new());
    let greeting = Greeting { role, process, address, question };
    loop {
        let told = connect_to(coordinator).map_err(Refusal::Io).and_then(|mut stream| {
            let time = end.saturating_duration_since(Instant::now()).max(PAUSE);
            greet(&mut stream, secret, &greeting, time)
        });
        match told {
            // It may not be there yet.
            Err(Refusal::Io(_)) if Instant::now() < end => thread::sleep(PAUSE),
            _ => return,
        }
    }
}

fn tell_those_who_come(membership: &Membership, reason: &Reason, end: Instant) {
    let Membership { processes, listener, secret, .. } = membership;
    let outcome = encode_cause(&Cause::Left { process: 0, reason: reason.clone() });
    let (mut told, mut connections) = (BTreeSet::new(), Vec::new());
    // Nothing can be done about an error.
    let _ = listener.set_nonblocking(true);
    while told.len() + 1 < *processes && Instant::now() < end {
        match listener.accept() {
            Ok((mut stream, _)) => {
                let _ = stream.set_nonblocking(false);
                if let Ok(greeting) = welcome(&mut stream, secret, |_| None)
                    && (greeting.role != Role::Control
                        || write_frame(&mut stream, &outcome).is_ok())
                {
                    told.insert(greeting.process);
                    // It is read until the end.
                    connections.push(stream);
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(PAUSE),
            Err(_) => return,
        }
    }
    thread::sleep(PAUSE);
}
