//! Searches over connections of this machine. The processes are threads; `fewest`'s own tests use
//! processes.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use fewest_cluster::{Cause, ConnectError, Membership, Reason, TcpCluster};
use fewest_core::StateSpace;
use fewest_core::budget::{Budget, Limit};
use fewest_core::checkpoint::Description;
use fewest_core::cluster::Cluster as _;
use fewest_core::explore::{End, Exploration};
use fewest_core::search::{Engine, Search};
use fewest_core::storage::Storage;

/// Numbers on a ring with shortcuts: many layers, and duplicates from all sides.
struct Ring {
    size: u64,
}

impl StateSpace for Ring {
    type State = u64;
    type Move = u8;

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(0);
    }

    fn is_goal(&self, state: u64) -> bool {
        state == self.size / 2 + 7
    }

    fn successors<B>(
        &self,
        state: u64,
        _: Option<u8>,
        mut emit: impl FnMut(u8, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        emit(0, (state + 1) % self.size)?;
        emit(1, (state + self.size - 1) % self.size)?;
        emit(2, state * 3 % self.size)
    }
}

/// The memberships of as many processes.
fn memberships(processes: usize) -> Vec<Membership> {
    let listeners: Vec<_> =
        (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let coordinator = listeners[0].local_addr().expect("an address").to_string();
    let membership = |(process, listener)| Membership {
        process,
        processes,
        listener,
        address: None,
        coordinator: coordinator.clone(),
        secret: b"secret".to_vec(),
        description: Description::new([("board", "a ring")]),
        timeout: Duration::from_secs(20),
    };
    (0..).zip(listeners).map(membership).collect()
}

/// What each process returns.
fn in_processes<T: Send>(
    memberships: Vec<Membership>,
    work: impl Fn(Result<Arc<TcpCluster>, ConnectError>) -> T + Sync,
) -> Vec<T> {
    thread::scope(|scope| {
        let work = &work;
        let run = |membership| scope.spawn(move || work(TcpCluster::connect(membership)));
        let threads: Vec<_> = memberships.into_iter().map(run).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

/// Explores the states of a process.
fn explore(ring: &Ring, cluster: &Arc<TcpCluster>, threads: usize, budget: &Budget) -> Exploration {
    let budget =
        budget.clone().with_storage(Storage::default().with_cluster(Arc::clone(cluster) as _));
    let search = Search::new(ring).threads(NonZero::new(threads).expect("a thread"));
    search.budget(&budget).explore(|_, _| ControlFlow::Continue(()))
}

fn explore_alone(ring: &Ring) -> Exploration {
    Search::new(ring).explore(|_, _| ControlFlow::Continue(()))
}

#[test]
fn searches_have_the_same_answers_in_all_processes() {
    let ring = Ring { size: 300_000 };
    let budget = &Budget::unlimited();
    let plan = Search::new(&ring).budget(budget).run();
    let all = explore_alone(&ring);
    assert_eq!(all.states(), 300_000);
    for (processes, threads) in [(1, 1), (2, 1), (2, 2), (4, 1)] {
        let found = in_processes(memberships(processes), |cluster| {
            let cluster = cluster.expect("met");
            // One after the other, by the same processes.
            let distributed = budget
                .clone()
                .with_storage(Storage::default().with_cluster(Arc::clone(&cluster) as _));
            let search = Search::new(&ring).engine(Engine::Bfs).unwrap().budget(&distributed);
            let found = search.run();
            let explored = explore(&ring, &cluster, threads, budget);
            cluster.close();
            assert_eq!(cluster.cause(), None);
            (found, explored, cluster.traffic())
        });
        for (found, explored, traffic) in found {
            assert_eq!(found.verdict, plan.verdict);
            assert_eq!(found.stats.expanded, plan.stats.expanded);
            assert_eq!((explored.layers, explored.end), (all.layers.clone(), End::Complete));
            assert_eq!(explored.stats.generated, 900_000);
            assert_eq!(traffic.blocks > 0, processes > 1);
            assert!(traffic.bytes >= traffic.block_bytes && traffic.most_in_flight <= 16);
        }
    }
}

#[test]
fn processes_that_differ_are_refused() {
    for (change, expected) in [
        (
            (|membership| membership.description = Description::new([("board", "another\nring")]))
                as fn(&mut Membership),
            "the board of process 2 is `another\\nring`, but that of process 0 is `a ring`",
        ),
        (|membership| membership.secret = b"guess".to_vec(), "has a different secret"),
        (|membership| membership.process = 1, "two processes have the index 1"),
        (
            |membership| membership.process = 3,
            "the index of a process is 3, but there are only 3 processes",
        ),
    ] {
        let mut all = memberships(3);
        for membership in &mut all {
            membership.timeout = Duration::from_secs(2);
        }
        change(&mut all[2]);
        let errors = in_processes(all, |cluster| cluster.expect_err("refused"));
        let text = errors[2].to_string();
        assert!(text.contains(expected), "{text}");
        assert!(errors[2].is_usage(), "{text}");
        // The others learn of it, or wait in vain.
        let text = errors[0].to_string();
        assert!(
            text.contains(expected) || text.contains("process 2 did not connect in time"),
            "{text}"
        );
        let other = errors[1].to_string();
        assert!(other.contains(&text) || other.contains(expected), "{other}");
    }
}

#[test]
fn a_process_that_ends_stops_the_others() {
    let ring = Ring { size: 50_000_000 };
    let begin = Instant::now();
    let found = in_processes(memberships(3), |cluster| {
        let cluster = cluster.expect("met");
        if cluster.process() == 1 {
            thread::sleep(Duration::from_millis(200));
            cluster.abandon();
            return None;
        }
        let found = explore(&ring, &cluster, 1, &Budget::unlimited());
        cluster.close();
        Some((found.limit(), cluster.cause()))
    });
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    for (limit, failure) in found.into_iter().flatten() {
        assert!(matches!(limit, Some(Limit::Io(_))), "{limit:?}");
        let failure = failure.expect("a process was lost");
        assert!(matches!(failure, Cause::Lost { process: 1, .. }), "{failure}");
    }
}

#[test]
fn a_limit_of_one_process_stops_all() {
    let ring = Ring { size: 50_000_000 };
    let found = in_processes(memberships(2), |cluster| {
        let cluster = cluster.expect("met");
        let flag = Arc::<AtomicBool>::default();
        let budget = Budget::unlimited().cancelled_by(Arc::clone(&flag));
        thread::scope(|scope| {
            if cluster.process() == 0 {
                scope.spawn(|| {
                    thread::sleep(Duration::from_millis(200));
                    flag.store(true, Ordering::Relaxed);
                });
            }
            let found = explore(&ring, &cluster, 1, &budget);
            cluster.close();
            (found.limit(), cluster.cause())
        })
    });
    for found in found {
        let cause = Cause::Limit { process: 0, limit: Limit::Cancelled };
        assert_eq!(found, (Some(Limit::Cancelled), Some(cause)));
    }
}

/// How long a link takes for what it passes on.
const DELAY: Duration = Duration::from_millis(15);

/// How long it takes for every hundredth part: about as long as a packet that is lost and sent
/// again. What comes after it waits.
const LONG_DELAY: Duration = Duration::from_millis(200);

/// A slow link to a listener, which passes nothing on after it is cut. Returns where it accepts
/// connections.
fn slow_link(to: SocketAddr, is_cut: &Arc<AtomicBool>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let is_cut = Arc::clone(is_cut);
    thread::spawn(move || {
        while let Ok((here, _)) = listener.accept() {
            let there = TcpStream::connect(to).expect("it listens");
            let ends = [&here, &there].map(|end| end.try_clone().expect("a socket"));
            let [here_again, there_again] = ends;
            pass_on(here, there_again, Arc::clone(&is_cut));
            pass_on(there, here_again, Arc::clone(&is_cut));
        }
    });
    address
}

/// Passes on what arrives, late.
fn pass_on(mut from: TcpStream, mut to: TcpStream, is_cut: Arc<AtomicBool>) {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let _ = sender.send((Instant::now(), buffer[..count].to_vec()));
        }
    });
    thread::spawn(move || {
        for (number, (arrival, bytes)) in receiver.into_iter().enumerate() {
            let delay = if number % 100 == 99 { LONG_DELAY } else { DELAY };
            thread::sleep((arrival + delay).saturating_duration_since(Instant::now()));
            if !is_cut.load(Ordering::Relaxed) && to.write_all(&bytes).is_err() {
                return;
            }
        }
        if !is_cut.load(Ordering::Relaxed) {
            let _ = to.shutdown(Shutdown::Write);
        }
    });
}

/// The memberships of as many processes, whose connections are slow links.
fn distant_memberships(processes: usize, is_cut: &Arc<AtomicBool>) -> Vec<Membership> {
    let mut all = memberships(processes);
    for membership in &mut all {
        let own = membership.listener.local_addr().expect("an address");
        membership.address = Some(slow_link(own, is_cut));
    }
    let coordinator = all[0].address.clone().expect("a link");
    all.iter_mut().for_each(|membership| membership.coordinator.clone_from(&coordinator));
    all
}

#[test]
fn slow_links_change_no_answer() {
    let ring = Ring { size: 300_000 };
    let budget = &Budget::unlimited();
    let all = explore_alone(&ring);
    for processes in [2, 3] {
        let found = in_processes(distant_memberships(processes, &Arc::default()), |cluster| {
            let cluster = cluster.expect("met");
            let explored = explore(&ring, &cluster, 1, budget);
            cluster.close();
            (explored, cluster.cause())
        });
        for (explored, failure) in found {
            assert_eq!((explored.layers, explored.end), (all.layers.clone(), End::Complete));
            assert_eq!(failure, None);
        }
    }
}

#[test]
fn a_link_that_stalls_is_noticed() {
    let ring = Ring { size: 50_000_000 };
    let is_cut = Arc::<AtomicBool>::default();
    let have_met = Barrier::new(2);
    let found = in_processes(distant_memberships(2, &is_cut), |cluster| {
        let cluster = cluster.expect("met");
        have_met.wait();
        is_cut.store(true, Ordering::Relaxed);
        let begin = Instant::now();
        let found = explore(&ring, &cluster, 1, &Budget::unlimited());
        assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
        cluster.close();
        (found.limit(), cluster.cause())
    });
    for (limit, failure) in found {
        assert!(matches!(limit, Some(Limit::Io(_))), "{limit:?}");
        let failure = failure.expect("a process was lost").to_string();
        assert!(failure.ends_with("has sent nothing for 4 seconds"), "{failure}");
    }
}

#[test]
fn nobody_waits_for_a_process_that_has_ended_its_work() {
    let ring = Ring { size: 300_000 };
    let found = in_processes(memberships(3), |cluster| {
        let cluster = cluster.expect("met");
        if cluster.process() == 2 {
            cluster.close();
            return None;
        }
        let found = explore(&ring, &cluster, 1, &Budget::unlimited());
        let cause = cluster.cause().map(|cause| cause.to_string());
        cluster.close();
        Some((found.limit(), cause))
    });
    for (limit, failure) in found.into_iter().flatten() {
        assert!(matches!(limit, Some(Limit::Io(_))), "{limit:?}");
        assert_eq!(failure.as_deref(), Some("process 2 finished before the search ended"));
    }
}

/// A process that fails while the others search, or wait for what it would have sent.
#[test]
fn the_reason_of_a_process_that_leaves_is_the_one_that_all_have() {
    let ring = Ring { size: 50_000_000 };
    for round in 0..40 {
        let waits = round % 2 == 0;
        let found = in_processes(memberships(3), |cluster| {
            let cluster = cluster.expect("met");
            // All have answered, so that none waits in vain for what the one that leaves has sent.
            let all = cluster.all_gather(vec![cluster.process() as u8]);
            if cluster.process() == 1 {
                assert_eq!(all, Ok(vec![vec![0], vec![1], vec![2]]));
                cluster.leave(Reason { text: "the disk is full".to_owned(), code: 7 });
            } else if waits {
                let limit = cluster.all_gather(Vec::new()).expect_err("one has left");
                assert!(matches!(limit, Limit::Io(_)), "{limit:?}");
            } else {
                let limit = explore(&ring, &cluster, 1, &Budget::unlimited()).limit();
                assert!(matches!(limit, Some(Limit::Io(_))), "{limit:?}");
            }
            cluster.close();
            cluster.cause().expect("a cause")
        });
        let reason = Reason { text: "the disk is full".to_owned(), code: 7 };
        for cause in found {
            assert_eq!(cause, Cause::Left { process: 1, reason: reason.clone() });
            assert_eq!(cause.to_string(), "process 1: the disk is full");
        }
    }
}

/// Process 2 cannot reach process 1, which waits for it, for longer than a process may be silent.
#[test]
fn the_reason_of_a_process_that_cannot_meet_all_is_the_one_that_all_have() {
    let mut all = memberships_that_cannot_meet();
    for membership in &mut all {
        membership.timeout = Duration::from_secs(6);
    }
    let begin = Instant::now();
    let errors = in_processes(all, |cluster| cluster.expect_err("they cannot meet").to_string());
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    for text in &errors {
        assert!(
            text.starts_with("process 1 (127.") && text.contains("cannot be reached"),
            "{text}"
        );
    }
}

/// Any process may give up or end while another one cannot be reached, and nobody waits to no
/// purpose.
#[test]
fn a_process_that_gives_up_while_others_meet_ends_their_meeting() {
    for process in 0..3 {
        let all = memberships_that_cannot_meet();
        let begin = Instant::now();
        let errors: Vec<_> = thread::scope(|scope| {
            let connect = |membership: Membership| {
                let gives_up = membership.process == process;
                scope.spawn(move || {
                    let timeout = Duration::from_secs(1);
                    let waits = &mut |_: &_| !gives_up || begin.elapsed() < timeout;
                    TcpCluster::connect_while(membership, waits).expect_err("they cannot meet")
                })
            };
            let threads: Vec<_> = all.into_iter().map(connect).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        let reason = "interrupted while the processes were waiting for each other";
        for (other, error) in errors.iter().enumerate() {
            if other == process {
                assert_eq!(error.to_string(), reason);
            } else {
                assert_eq!(error.to_string(), format!("process {process}: {reason}"));
            }
        }
    }
}

/// Process 1 has met process 0 and has nobody else to meet, and is interrupted while 3 cannot reach
/// 2.
#[test]
fn a_process_that_has_met_all_and_gives_up_is_noticed() {
    let mut all = memberships(4);
    all[2].address = Some(closed_address());
    let begin = Instant::now();
    let errors: Vec<_> = thread::scope(|scope| {
        let connect = |membership: Membership| {
            let gives_up = membership.process == 1;
            scope.spawn(move || {
                let waits = &mut |_: &_| !gives_up || begin.elapsed() < Duration::from_secs(1);
                TcpCluster::connect_while(membership, waits)
                    .expect_err("they cannot meet")
                    .to_string()
            })
        };
        let threads: Vec<_> = all.into_iter().map(connect).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    for text in errors {
        assert!(
            text.ends_with("interrupted while the processes were waiting for each other"),
            "{text}"
        );
    }
}

/// A process that accepts connections and says nothing may be busy.
#[test]
fn a_process_that_does_not_answer_yet_is_tried_again() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut second = memberships(2).swap_remove(1);
    second.coordinator = silent.local_addr().expect("an address").to_string();
    second.timeout = Duration::from_secs(3);
    let begin = Instant::now();
    let error = TcpCluster::connect(second).expect_err("nobody answers").to_string();
    assert!(error.contains("process 0 (127.") && error.contains("cannot be reached"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}

#[test]
fn another_program_is_refused_at_once() {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut second = memberships(2).swap_remove(1);
    second.coordinator = server.local_addr().expect("an address").to_string();
    let begin = Instant::now();
    let error = thread::scope(|scope| {
        scope.spawn(|| {
            let (mut stream, _) = server.accept().expect("a connection");
            stream.write_all(&[b'x'; 200]).expect("open");
            // The request is read, so that the end of the connection loses nothing.
            let _ = stream.read(&mut [0; 1000]);
        });
        TcpCluster::connect(second)
            .expect_err("the other side is not a process of this program")
            .to_string()
    });
    assert!(error.ends_with("the other side is not a process of this program"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

/// An address where nobody listens.
fn closed_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}

/// Three processes, of which process 2 is told an address of process 1 where nobody listens.
fn memberships_that_cannot_meet() -> Vec<Membership> {
    let mut all = memberships(3);
    all[1].address = Some(closed_address());
    all
}

#[test]
fn a_process_that_waits_for_others_can_give_up() {
    for process in [0, 1] {
        let membership = memberships(2).swap_remove(process);
        let mut seen = Vec::new();
        let given_up = TcpCluster::connect_while(membership, &mut |waiting| {
            seen.push(waiting.missing.clone());
            seen.len() < 5
        });
        assert!(matches!(given_up, Err(ConnectError::GivenUp)), "{given_up:?}");
        assert_eq!(seen, vec![vec![1 - process]; 5]);
    }
}

#[test]
fn a_process_that_is_started_again_while_others_wait_takes_part() {
    let mut all = memberships(3);
    let again = Membership {
        listener: TcpListener::bind("127.0.0.1:0").expect("a port"),
        secret: all[1].secret.clone(),
        description: all[1].description.clone(),
        coordinator: all[1].coordinator.clone(),
        address: None,
        ..all[1]
    };
    let second = std::mem::replace(&mut all[1], again);
    let third = all.pop().expect("three");
    thread::scope(|scope| {
        let mut all = all.into_iter();
        let first = all.next().expect("two");
        let first = scope.spawn(|| TcpCluster::connect(first));
        // It has arrived, and ends while the third one is missing.
        let given_up =
            TcpCluster::connect_while(second, &mut |waiting| waiting.unreachable.is_some());
        assert!(matches!(given_up, Err(ConnectError::GivenUp)), "{given_up:?}");
        thread::sleep(Duration::from_millis(200));
        let second = all.next().map(|again| scope.spawn(|| TcpCluster::connect(again)));
        let third = scope.spawn(|| TcpCluster::connect(third));
        let met = [Some(first), second, Some(third)].into_iter().flatten();
        let met: Vec<_> = met.map(|process| process.join().expect("no panic")).collect();
        assert_eq!(met.len(), 3);
        for cluster in &met {
            assert!(cluster.is_ok(), "{cluster:?}");
        }
        met.into_iter().flatten().for_each(|cluster| cluster.abandon());
    });
}

#[test]
fn a_process_says_why_it_cannot_reach_another() {
    for coordinator in ["no-port".to_owned(), closed_address()] {
        let second = memberships(2).swap_remove(1);
        let membership = Membership { coordinator: coordinator.clone(), ..second };
        let mut why = None;
        let given_up = TcpCluster::connect_while(membership, &mut |waiting| {
            why = waiting.unreachable.clone();
            false
        });
        assert!(matches!(given_up, Err(ConnectError::GivenUp)), "{given_up:?}");
        let why = why.expect("a reason");
        assert!(why.starts_with(&format!("{coordinator}: ")), "{why}");
    }
}
