//! The messages of a control connection.
//!
//! A message is its kind (`u8`), two numbers (`u64`), the length of a text (`u32`), all
//! little-endian, and the text.

use std::io::{self, ErrorKind, Read};

use fewest_core::budget::Limit;

use crate::cause::{Cause, Reason};

/// A control message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// A heartbeat.
    Beat,
    /// Acknowledges this number of blocks.
    Received(u64),
    /// The search stops because of this cause.
    Stop(Cause),
    /// The last message: the sender has finished.
    End,
}

const MAX_TEXT_BYTES: usize = 1 << 16;

impl Message {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let (kind, process, number, text) = match self {
            Self::Beat => (0, 0, 0, ""),
            Self::Received(blocks) => (1, 0, *blocks, ""),
            Self::End => (2, 0, 0, ""),
            // Kinds 3 to 5 use `process`; the second number is the limit, the exit code, or unused.
            Self::Stop(Cause::Limit { process, limit }) => (3, *process, code(*limit), ""),
            Self::Stop(Cause::Left { process, reason }) => {
                (4, *process, reason.code.into(), reason.text.as_str())
            }
            Self::Stop(Cause::Lost { process, what }) => (5, *process, 0, what.as_str()),
        };
        let mut end = text.len().min(MAX_TEXT_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let mut bytes = vec![kind];
        bytes.extend((process as u64).to_le_bytes());
        bytes.extend(number.to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes
    }

    /// Reads a message; blocks until it is complete.
    ///
    /// # Errors
    /// Those of the connection; [`ErrorKind::InvalidData`] if something else arrives.
    pub(crate) fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut kind = [0];
        from.read_exact(&mut kind)?;
        let (process, number) = (read_number(from)? as usize, read_number(from)?);
        let mut length = [0; 4];
        from.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_TEXT_BYTES {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut text = vec![0; length];
        from.read_exact(&mut text)?;
        let text = String::from_utf8(text).map_err(|_| ErrorKind::InvalidData)?;
        match kind[0] {
            0 => Ok(Self::Beat),
            1 => Ok(Self::Received(number)),
            2 => Ok(Self::End),
            3 => Ok(Self::Stop(Cause::Limit { process, limit: limit(number) })),
            4 => {
                Ok(Self::Stop(Cause::Left { process, reason: Reason { text, code: number as u8 } }))
            }
            5 => Ok(Self::Stop(Cause::Lost { process, what: text })),
            _ => Err(ErrorKind::InvalidData.into()),
        }
    }
}

fn read_number(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn code(limit: Limit) -> u64 {
    match limit {
        Limit::Time => 1,
        Limit::Cancelled => 2,
        Limit::States => 3,
        Limit::Memory => 4,
        Limit::Encoding => 5,
        Limit::Io(ErrorKind::StorageFull) => 6,
        // Also kinds that a later version of core may add.
        _ => 0,
    }
}

fn limit(code: u64) -> Limit {
    match code {
        1 => Limit::Time,
        2 => Limit::Cancelled,
        3 => Limit::States,
        4 => Limit::Memory,
        5 => Limit::Encoding,
        6 => Limit::Io(ErrorKind::StorageFull),
        _ => Limit::Io(ErrorKind::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_written() {
        let limits = [
            Limit::Time,
            Limit::Cancelled,
            Limit::States,
            Limit::Memory,
            Limit::Encoding,
            Limit::Io(ErrorKind::StorageFull),
            Limit::Io(ErrorKind::Other),
        ];
        let stops = limits.map(|limit| Message::Stop(Cause::Limit { process: 7, limit }));
        let reason = Reason { text: "a tab\tand `ü`".to_owned(), code: 2 };
        let others = [
            Message::Beat,
            Message::Received(1 << 40),
            Message::End,
            Message::Stop(Cause::Left { process: 3, reason }),
            Message::Stop(Cause::Lost { process: 300, what: "it is gone".to_owned() }),
        ];
        let all = [&stops[..], &others].concat();
        let bytes: Vec<u8> = all.iter().flat_map(Message::to_bytes).collect();
        let mut rest = &bytes[..];
        for message in &all {
            assert_eq!(&Message::read(&mut rest).expect("a message"), message);
        }
        assert_eq!(Message::read(&mut rest).expect_err("the end").kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn other_bytes_are_refused_and_long_texts_are_cut() {
        let mut other = Message::Beat.to_bytes();
        other[0] = 9;
        assert!(Message::read(&mut &other[..]).is_err(), "no such kind");
        other = Message::Beat.to_bytes();
        other[20] = 255;
        let refused = Message::read(&mut &other[..]).expect_err("no such length");
        assert_eq!(refused.kind(), ErrorKind::InvalidData);
        let what = "ü".repeat(MAX_TEXT_BYTES);
        let bytes = Message::Stop(Cause::Lost { process: 0, what }).to_bytes();
        match Message::read(&mut &bytes[..]).expect("a message") {
            Message::Stop(Cause::Lost { what, .. }) => assert_eq!(what.len(), MAX_TEXT_BYTES),
            other => panic!("{other:?}"),
        }
    }
}
