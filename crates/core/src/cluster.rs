//! Breadth-first searches and explorations that are distributed over several processes.
//!
//! All processes run the same search. Each state belongs to one of them, its owner, which alone
//! stores and expands it; what others generate of it is sent there. The processes work layer by
//! layer: the next layer starts when all have ended the last one. So the layers, the plan and all
//! counts are the same in each process, and for any number of processes.
//!
//! A [`Distributed`](crate::store::Distributed) store distributes the breadth-first searches and
//! the explorations that use it. How processes find each other, and how bytes get from one to
//! another, is left to a [`Cluster`]: the crate `fewest-cluster` has one.

use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;

use crate::limit::Limit;
use crate::word::Word;

/// The processes of a distributed search, as one of them sees it.
///
/// All operations can fail: with the limit at which a process [stopped](Self::stop), or with
/// [`Limit::Io`] if a process cannot be reached. All later ones fail then, too.
pub trait Cluster: fmt::Debug + Send + Sync {
    /// The number of processes.
    fn processes(&self) -> usize;

    /// The number of this process: at least 0, and less than the number of processes.
    fn process(&self) -> usize;

    /// Sends a block of bytes to another process. Returns it if that process has not received
    /// enough of the earlier blocks: then this one has to [receive](Self::receive) blocks or to
    /// [wait](Self::wait) before it tries again.
    ///
    /// # Errors
    /// See [`Cluster`].
    fn send(&self, to: usize, block: Vec<u8>) -> Result<Option<Vec<u8>>, Limit>;

    /// Says that this process sends no further blocks in this layer.
    ///
    /// # Errors
    /// See [`Cluster`].
    fn end_layer(&self) -> Result<(), Limit>;

    /// What has arrived from other processes.
    ///
    /// # Errors
    /// See [`Cluster`].
    fn receive(&self) -> Result<Received, Limit>;

    /// Waits until something has changed, or this time is over.
    fn wait(&self, time: Duration);

    /// Passes bytes to all processes, and returns what each of them passes, in the order of the
    /// processes. All processes have to call it the same number of times.
    ///
    /// # Errors
    /// See [`Cluster`].
    fn all_gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, Limit>;

    /// Stops the searches of all processes at a limit that this one has reached.
    fn stop(&self, limit: Limit);
}

/// What a process has received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// The bytes that another process sent in this layer.
    Block(Vec<u8>),
    /// Nothing since the last call.
    Nothing,
    /// All processes have ended the layer, and all their blocks are received. What comes next is of
    /// the next layer.
    LayerEnd,
}

/// Replaces numbers by their sums over all processes, if there is a cluster. All processes have to
/// call it, with as many numbers.
///
/// # Errors
/// The limit at which a process stopped; [`Limit::Encoding`] if a sum is too large.
pub fn sum(cluster: Option<&dyn Cluster>, numbers: &mut [u64]) -> Result<(), Limit> {
    let Some(cluster) = cluster else { return Ok(()) };
    let gathered = gather(Some(cluster), numbers)?;
    // Without numbers, it only waits for all processes.
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

/// The sums of numbers over all processes; the numbers, if there is no cluster.
pub(crate) fn sums<const N: usize>(
    cluster: Option<&dyn Cluster>,
    mut numbers: [u64; N],
) -> Result<[u64; N], Limit> {
    sum(cluster, &mut numbers)?;
    Ok(numbers)
}

/// The words that all processes have, in the order of the processes. All processes have to call it.
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

/// The least word of all processes.
pub(crate) fn least<W: Word>(
    cluster: Option<&dyn Cluster>,
    least: Option<W>,
) -> Result<Option<W>, Limit> {
    match cluster {
        None => Ok(least),
        cluster => Ok(gather(cluster, least.as_slice())?.into_iter().min()),
    }
}
