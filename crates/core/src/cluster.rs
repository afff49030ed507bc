//! Distributed breadth-first searches and explorations.
//!
//! All processes run the same search. Each state has one owner, the process that stores and expands
//! it. Other processes that generate the state send it to its owner. The processes work layer by
//! layer, with a barrier after each layer. The layers, the plan and all counts are therefore the
//! same in each process and for any number of processes.
//!
//! A [`Distributed`](crate::store::Distributed) store wraps the store of one process and exchanges
//! states with the others. Connecting the processes and transporting bytes is the task of a
//! [`Cluster`]; the crate `fewest-cluster` implements one.

use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;

use crate::limit::Limit;
use crate::word::Word;

/// The processes of a distributed search, as one of them sees it.
///
/// Every operation can fail: with the limit at which a process [stopped](Self::stop), or with
/// [`Limit::Io`] if a process cannot be reached. After the first failure, all later operations
/// fail, too.
pub trait Cluster: fmt::Debug + Send + Sync {
    /// The number of processes.
    fn processes(&self) -> usize;

    /// The index of this process, in `0..self.processes()`.
    fn process(&self) -> usize;

    /// Sends a block of bytes to another process, without blocking. If too many blocks to that
    /// process are in flight, returns the block: [receive](Self::receive) blocks or
    /// [wait](Self::wait), then try again.
    ///
    /// # Errors
    /// See [`Cluster`].
    fn send(&self, to: usize, block: Vec<u8>) -> Result<Option<Vec<u8>>, Limit>;

    /// Declares that this process sends no further blocks in this layer.
    ///
    /// # Errors
    /// See [`Cluster`].
    fn end_layer(&self) -> Result<(), Limit>;

    /// Takes the next block that has arrived, or the end of the layer, without blocking.
    ///
    /// A block of layer `n + 1` cannot arrive before [`Received::LayerEnd`] of layer `n` was
    /// returned here: the callers pass an [`all_gather`](Self::all_gather) between the two layers,
    /// and no process leaves it before all have entered it. An implementation may rely on this.
    ///
    /// # Errors
    /// See [`Cluster`].
    fn receive(&self) -> Result<Received, Limit>;

    /// Waits until a block arrives or another event happens, but at most for `time`.
    fn wait(&self, time: Duration);

    /// Collective operation: returns the bytes that each process passes, in the order of the
    /// processes. Every process must call it, in the same order relative to other collective
    /// operations. Acts as a barrier.
    ///
    /// # Errors
    /// See [`Cluster`].
    fn all_gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, Limit>;

    /// Stops the searches of all processes because this one has reached a limit.
    fn stop(&self, limit: Limit);
}

/// What a process has received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// The bytes that another process sent in this layer.
    Block(Vec<u8>),
    /// Nothing since the last call.
    Nothing,
    /// All processes have ended the layer, and all of their blocks have been received. Blocks that
    /// follow belong to the next layer.
    LayerEnd,
}

/// Replaces each number by its sum over all processes; without a cluster, does nothing. Collective:
/// every process must call it with the same number of numbers.
///
/// # Errors
/// The limit at which a process stopped; [`Limit::Encoding`] if a sum is too large.
pub fn sum(cluster: Option<&dyn Cluster>, numbers: &mut [u64]) -> Result<(), Limit> {
    let Some(cluster) = cluster else { return Ok(()) };
    let gathered = gather(Some(cluster), numbers)?;
    // With no numbers, this is only a barrier.
    if gathered.len() != numbers.len() * cluster.processes() {
        return Err(Limit::Io(ErrorKind::InvalidData));
    }
    numbers.fill(0);
    for (index, number) in gathered.into_iter().enumerate() {
        let sum = &mut numbers[index % numbers.len()];
        *sum = sum.checked_add(number).ok_or(Limit::Encoding)?;
    }
    Ok(())
}

/// As [`sum`], for an array.
pub(crate) fn sums<const N: usize>(
    cluster: Option<&dyn Cluster>,
    mut numbers: [u64; N],
) -> Result<[u64; N], Limit> {
    sum(cluster, &mut numbers)?;
    Ok(numbers)
}

/// Concatenates the words that all processes pass, in the order of the processes. Collective: every
/// process must call it.
///
/// # Errors
/// The limit at which a process stopped.
pub fn gather<W: Word>(cluster: Option<&dyn Cluster>, words: &[W]) -> Result<Vec<W>, Limit> {
    let Some(cluster) = cluster else { return Ok(words.to_vec()) };
    let mut bytes = vec![0; words.len() * W::BYTES];
    for (bytes, word) in bytes.chunks_exact_mut(W::BYTES).zip(words) {
        word.write_le(bytes);
    }
    let mut gathered = Vec::new();
    for bytes in cluster.all_gather(bytes)? {
        let words = bytes.chunks_exact(W::BYTES);
        if !words.remainder().is_empty() {
            return Err(Limit::Io(ErrorKind::InvalidData));
        }
        gathered.extend(words.map(W::read_le));
    }
    Ok(gathered)
}

/// The minimum over all processes. Collective.
pub(crate) fn least<W: Word>(
    cluster: Option<&dyn Cluster>,
    least: Option<W>,
) -> Result<Option<W>, Limit> {
    match cluster {
        None => Ok(least),
        cluster => Ok(gather(cluster, least.as_slice())?.into_iter().min()),
    }
}
