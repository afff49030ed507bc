//! Work that two processes share. Here they are threads: what they send goes over TCP, and their
//! memory is counted together.

use std::net::TcpListener;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use fewest_cluster::{Membership, TcpCluster};
use fewest_core::budget::Budget;
use fewest_core::checkpoint::Description;
use fewest_core::explore::Exploration;
use fewest_core::search::Search;
use fewest_core::{Predecessors, Ranked};

/// Explores a space as programs do: in the representation and with the threads or processes of the
/// budget.
pub(super) fn explore_all(space: &(impl Predecessors + Ranked), budget: &Budget) -> Exploration {
    let search = Search::new(space).predecessors().ranked().budget(budget);
    search.explore_layers(|_, _| Ok(ControlFlow::Continue(())))
}

/// Does the work in two processes of one thread each, and returns what the first one returns.
pub(super) fn in_two_processes<T: Send>(budget: &Budget, work: impl Fn(&Budget) -> T + Sync) -> T {
    let listeners = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let coordinator = listeners[0].local_addr().expect("an address").to_string();
    let run = |membership| {
        let cluster = TcpCluster::connect(membership).expect("two processes");
        let result = work(
            &budget.clone().with_storage(budget.storage().clone().with_cluster(cluster.clone())),
        );
        cluster.close();
        result
    };
    thread::scope(|scope| {
        let start = |(process, listener)| {
            let membership = Membership {
                process,
                processes: 2,
                listener,
                address: None,
                coordinator: coordinator.clone(),
                secret: Vec::new(),
                description: Description::new([("work", "the same")]),
                timeout: Duration::from_secs(10),
            };
            let run = &run;
            scope.spawn(move || run(membership))
        };
        let processes = [0, 1].into_iter().zip(listeners).map(start).collect::<Vec<_>>();
        let mut results = processes.into_iter().map(|process| process.join().expect("no panic"));
        results.next().expect("two processes")
    })
}
