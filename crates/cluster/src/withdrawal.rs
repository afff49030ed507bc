//! Lets a process that cannot take part send the reason, so that the others do not wait for it.

use std::collections::BTreeSet;
use std::net::TcpStream;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::handshake::{Greeting, Refusal, Role, greet, welcome, write_frame};
use crate::leaving::{description_of, encode_left};
use crate::meeting::connect_to;
use crate::{Membership, Reason};

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// The maximum number of characters of a reason.
const MAX_CHARACTERS: usize = 1 << 14;

/// Sends the other processes the reason why this one does not take part; their connecting fails
/// with [`ConnectError::Left`](crate::ConnectError::Left). Process 0 sends it to each process that
/// connects; any other process sends it to process 0, which forwards it. Returns when all have it,
/// or after the timeout. Ignores `description`.
pub fn withdraw(membership: Membership, reason: Reason) {
    let text = reason.text.chars().take(MAX_CHARACTERS).collect();
    let reason = Reason { text, ..reason };
    let end = Instant::now() + membership.timeout;
    if membership.process == 0 {
        tell_those_who_come(membership, &reason, end);
    } else {
        tell_first(&membership, &reason, end);
    }
}

fn tell_first(membership: &Membership, reason: &Reason, end: Instant) {
    let Membership { process, coordinator, secret, .. } = membership;
    let description = description_of(reason);
    let (role, process, address) = (Role::Leaving, *process, String::new());
    let greeting = Greeting { role, process, address, description };
    loop {
        let told = connect_to(coordinator).map_err(Refusal::Io).and_then(|mut stream| {
            let time = end.saturating_duration_since(Instant::now()).max(PAUSE);
            greet(&mut stream, secret, &greeting, time)
        });
        match told {
            // Process 0 may not have started yet.
            Err(Refusal::Io(_)) if Instant::now() < end => thread::sleep(PAUSE),
            _ => return,
        }
    }
}

fn tell_those_who_come(membership: Membership, reason: &Reason, end: Instant) {
    let Membership { processes, listener, secret, .. } = membership;
    let outcome = encode_left(0, reason);
    let (shared, (sender, answered)) = (Arc::new((secret, outcome)), mpsc::channel());
    // Keep the connections open until the end: closing one with unread data would discard what was
    // written.
    let (mut told, mut connections) = (BTreeSet::new(), Vec::new());
    // Ignore errors: this process is about to exit with another error anyway.
    let _ = listener.set_nonblocking(true);
    while told.len() + 1 < processes && Instant::now() < end {
        match listener.accept() {
            Ok((stream, _)) => {
                // In a thread of its own, since an unknown peer may be slow.
                let (shared, sender) = (Arc::clone(&shared), sender.clone());
                let answer =
                    move || tell(stream, &shared.0, &shared.1).map(|told| sender.send(told));
                let _ = thread::Builder::new().name("handshake".to_owned()).spawn(answer);
            }
            Err(_) => thread::sleep(PAUSE),
        }
        for (process, connection) in answered.try_iter() {
            told.extend(process);
            connections.push(connection);
        }
    }
    thread::sleep(PAUSE);
}

/// Sends the reason over a new connection. Returns the index of the process if it was the control
/// connection, and the connection.
fn tell(
    mut stream: TcpStream,
    secret: &[u8],
    outcome: &[u8],
) -> Option<(Option<usize>, TcpStream)> {
    stream.set_nonblocking(false).ok()?;
    let greeting = welcome(&mut stream, secret, |_| None).ok()?;
    let is_control = greeting.role == Role::Control;
    if is_control {
        write_frame(&mut stream, outcome).ok()?;
    }
    Some((is_control.then_some(greeting.process), stream))
}
