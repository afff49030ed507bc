//! The records of the dataflow: bytes that one process sends to another.

use std::io::Write;

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::progress::Stamp;

/// The purpose of a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// States of the next layer.
    Block,
    /// The contribution of a process to the all-gather with this number.
    Gather(u64),
}

/// Bytes from one process to another. `None` if they did not decode, or after they were
/// [taken](Option::take): timely hands out `&mut` containers, and taking avoids a copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parcel(pub(crate) Option<Content>);

#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) purpose: Purpose,
    pub(crate) bytes: Vec<u8>,
}

/// The encoding of [`Purpose::Block`]; a gather is encoded as its number.
const BLOCK: u64 = u64::MAX;

const HEAD_BYTES: usize = 32;

impl Content {
    fn head(&self) -> [u8; HEAD_BYTES] {
        let purpose = match self.purpose {
            Purpose::Block => BLOCK,
            Purpose::Gather(number) => number,
        };
        let mut head = [0; HEAD_BYTES];
        let numbers = [self.from as u64, self.to as u64, purpose, self.bytes.len() as u64];
        for (bytes, number) in head.chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        head
    }

    /// `None` if the bytes are not what was written.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(HEAD_BYTES)?;
        let mut numbers = head.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes));
        let [from, to, purpose, length] = std::array::from_fn(|_| numbers.next().unwrap_or(0));
        let purpose = if purpose == BLOCK { Purpose::Block } else { Purpose::Gather(purpose) };
        let bytes = rest.get(..length as usize)?.to_vec();
        Some(Self { from: from as usize, to: to as usize, purpose, bytes })
    }
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        i64::from(self.0.is_some())
    }
}

/// timely requires lengths that are a multiple of 8 bytes.
fn padding(bytes: usize) -> usize {
    bytes.next_multiple_of(8) - bytes
}

impl ContainerBytes for Parcel {
    fn from_bytes(bytes: Bytes) -> Self {
        Self(Content::read(&bytes))
    }

    fn length_in_bytes(&self) -> usize {
        let bytes = self.0.as_ref().map_or(0, |content| content.bytes.len());
        HEAD_BYTES + bytes + padding(bytes)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let Some(content) = &self.0 else { return };
        // The writer is a buffer in memory.
        let _ = writer
            .write_all(&content.head())
            .and_then(|()| writer.write_all(&content.bytes))
            .and_then(|()| writer.write_all(&[0; 8][..padding(content.bytes.len())]));
    }
}

/// Routes each parcel to the process that it is addressed to.
#[derive(Debug)]
pub(crate) struct ToProcess;

impl Distributor<Parcel> for ToProcess {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        stamp: &Stamp<T>,
        pushers: &mut [P],
    ) {
        if let Some(content) = &parcel.0 {
            let to = content.to;
            Message::push_at(parcel, stamp.clone(), &mut pushers[to]);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}

#[cfg(test)]
mod tests {
    use timely::bytes::arc::BytesMut;

    use super::*;

    #[test]
    fn parcels_are_read_as_written() {
        for (length, purpose) in
            [(0, Purpose::Block), (5, Purpose::Gather(7)), (64, Purpose::Block)]
        {
            let bytes = (0..length).collect();
            let parcel = Parcel(Some(Content { from: 3, to: 1, purpose, bytes }));
            let mut written = Vec::new();
            parcel.into_bytes(&mut written);
            assert_eq!(written.len(), parcel.length_in_bytes());
            assert_eq!(written.len() % 8, 0);
            let cut = BytesMut::from(written[..written.len() - 1].to_vec()).freeze();
            let read = Parcel::from_bytes(BytesMut::from(written).freeze()).0.expect("a parcel");
            let Content { from, to, .. } = read;
            assert_eq!((from, to, read.purpose), (3, 1, purpose));
            assert_eq!(read.bytes, (0..length).collect::<Vec<u8>>());
            assert!(length % 8 == 5 || Parcel::from_bytes(cut).0.is_none());
        }
    }
}
