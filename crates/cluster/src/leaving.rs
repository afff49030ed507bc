//! Encodings of the reason of a process that leaves: in its greeting, and as an outcome.

use fewest_core::checkpoint::Description;

use crate::handshake::encode_texts;
use crate::{ConnectError, Reason};

/// The exit code if the reason has none.
const UNKNOWN: u8 = 1;

/// Replaces exit code 0 of a process that failed.
fn exit_code(code: u8) -> u8 {
    if code == 0 { UNKNOWN } else { code }
}

/// The field names of an encoded reason.
const TEXT: &str = "reason";
const CODE: &str = "exit code";

/// The kind of an outcome that carries a reason.
pub(crate) const LEFT: &str = "left";

/// The reason of a process that leaves, as the description in its greeting.
pub(crate) fn description_of(reason: &Reason) -> Description {
    Description::new([(TEXT, reason.text.clone()), (CODE, reason.code.to_string())])
}

/// The reason in a description that [`description_of`] made.
pub(crate) fn reason_of(description: &Description) -> Reason {
    let field = |name: &str| description.fields().find(|&(field, _)| field == name);
    Reason {
        text: field(TEXT).map_or_else(String::new, |(_, text)| text.to_owned()),
        code: field(CODE).and_then(|(_, code)| code.parse().ok()).map_or(UNKNOWN, exit_code),
    }
}

/// Encodes a reason as an outcome.
pub(crate) fn encode_left(process: usize, reason: &Reason) -> Vec<u8> {
    encode_texts([LEFT, &process.to_string(), &reason.code.to_string(), &reason.text])
}

/// Decodes what [`encode_left`] encoded, without the kind.
pub(crate) fn decode_left(texts: &[String]) -> Option<ConnectError> {
    let [process, code, text] = texts else { return None };
    let reason = Reason { text: text.clone(), code: exit_code(code.parse().ok()?) };
    Some(ConnectError::Left { process: process.parse().ok()?, reason })
}
