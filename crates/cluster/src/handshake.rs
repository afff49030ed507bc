//! The handshake of a connection: mutual authentication with a shared secret, and a comparison of
//! the searches.
//!
//! ```text
//! server (accepts)                           client (connects)
//! server_nonce (32 bytes)             ->
//!                                     <-     client_nonce, HMAC("greeting", nonces, greeting), greeting
//! HMAC("answer", nonces, error), error ->    empty error: accepted
//! ```
//!
//! The HMACs (HMAC-SHA-256, keyed with the secret) prove that each side knows the secret. The
//! nonces prevent replay attacks, and the labels prevent reflection attacks, in which a message is
//! sent back to its sender. Later traffic is not protected, and without a secret the key is empty,
//! so the network must be trusted.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use fewest_core::checkpoint::Description;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The purpose of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Control,
    Data,
    /// The process does not take part; the description has the reason.
    Leaving,
}

/// The client's message of the handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Greeting {
    pub(crate) role: Role,
    pub(crate) process: usize,
    /// Where the client accepts connections: a host and a port, or `:` and a port for the address
    /// from which it connects.
    pub(crate) address: String,
    /// The fields that must be equal in all processes.
    pub(crate) description: Description,
}

/// The error of a handshake.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("it has a different secret")]
    Secret,
    /// The greeting does not match; the message names the field.
    #[error("{0}")]
    Differs(String),
}

/// The read timeout of the server. It applies to each read, so a slow client can hold its handshake
/// thread longer.
const TIME: Duration = Duration::from_secs(10);
/// The maximum size of a frame. A greeting contains a board, and this is more than the largest one.
const MAX_FRAME: usize = 1 << 26;
const RANDOM_BYTES: usize = 32;
const PROOF_BYTES: usize = 32;

/// The client's side of the handshake. `time` is the timeout of each read. Afterwards the stream
/// can be used for the role of the greeting.
pub(crate) fn greet(
    stream: &mut TcpStream,
    secret: &[u8],
    greeting: &Greeting,
    time: Duration,
) -> Result<(), Refusal> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(time))?;
    let mut server_nonce = [0; RANDOM_BYTES];
    stream.read_exact(&mut server_nonce)?;
    let client_nonce = random()?;
    let body = encode(greeting);
    let proof = prove(secret, &[b"greeting", &server_nonce, &client_nonce, &body]);
    write_frame(stream, &[&client_nonce, &proof, &body[..]].concat())?;
    let answer = read_frame(stream)?;
    let (proof, answer) = answer.split_at_checked(PROOF_BYTES).ok_or_else(unreadable)?;
    // If the secrets differ, this fails: the server answers with an HMAC of zeros.
    if !verify(secret, &[b"answer", &server_nonce, &client_nonce, answer], proof) {
        return Err(Refusal::Secret);
    }
    if answer.is_empty() {
        Ok(())
    } else {
        Err(Refusal::Differs(String::from_utf8_lossy(answer).into_owned()))
    }
}

/// The server's side of the handshake. `disagreement` returns why the greeting is refused, or
/// `None`.
pub(crate) fn welcome(
    stream: &mut TcpStream,
    secret: &[u8],
    disagreement: impl FnOnce(&Greeting) -> Option<String>,
) -> Result<Greeting, Refusal> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(TIME))?;
    let server_nonce = random()?;
    stream.write_all(&server_nonce)?;
    let frame = read_frame(stream)?;
    let (client_nonce, rest) = frame.split_at_checked(RANDOM_BYTES).ok_or_else(unreadable)?;
    let (proof, body) = rest.split_at_checked(PROOF_BYTES).ok_or_else(unreadable)?;
    if !verify(secret, &[b"greeting", &server_nonce, client_nonce, body], proof) {
        // An HMAC of zeros never verifies, so the client also reports a wrong secret.
        write_frame(stream, &[0; PROOF_BYTES])?;
        return Err(Refusal::Secret);
    }
    let greeting = decode(body).ok_or_else(unreadable)?;
    let answer = disagreement(&greeting).unwrap_or_default();
    let proof = prove(secret, &[b"answer", &server_nonce, client_nonce, answer.as_bytes()]);
    write_frame(stream, &[&proof, answer.as_bytes()].concat())?;
    if answer.is_empty() { Ok(greeting) } else { Err(Refusal::Differs(answer)) }
}

fn unreadable() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "the other side is not a process of this program")
}

pub(crate) fn random() -> io::Result<[u8; RANDOM_BYTES]> {
    let mut bytes = [0; RANDOM_BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

fn mac(secret: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key");
    // Length prefixes make the parts unambiguous: ["a", "bc"] and ["ab", "c"] differ.
    for part in parts {
        mac.update(&(part.len() as u64).to_le_bytes());
        mac.update(part);
    }
    mac
}

fn prove(secret: &[u8], parts: &[&[u8]]) -> [u8; PROOF_BYTES] {
    mac(secret, parts).finalize().into_bytes().into()
}

fn verify(secret: &[u8], parts: &[&[u8]], proof: &[u8]) -> bool {
    // In constant time.
    mac(secret, parts).verify_slice(proof).is_ok()
}

/// Writes a frame: the length (`u32`, little-endian) and the bytes.
pub(crate) fn write_frame(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(|_| ErrorKind::InvalidData)?;
    stream.write_all(&length.to_le_bytes())?;
    stream.write_all(bytes)
}

/// Reads what [`write_frame`] wrote.
pub(crate) fn read_frame(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_FRAME {
        return Err(unreadable());
    }
    // An unknown peer sent the length: memory is only taken for what arrives.
    let mut bytes = Vec::new();
    stream.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() == length { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

/// Encodes texts, each with its length in bytes before it.
pub(crate) fn encode_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

/// Decodes what [`encode_texts`] wrote; `None` if it is damaged.
pub(crate) fn decode_texts(mut bytes: &[u8]) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        texts.push(String::from_utf8(text.to_vec()).ok()?);
        bytes = rest;
    }
    Some(texts)
}

fn encode(greeting: &Greeting) -> Vec<u8> {
    let Greeting { role, process, address, description } = greeting;
    let role = match role {
        Role::Control => "control",
        Role::Data => "data",
        Role::Leaving => "leaving",
    };
    let process = process.to_string();
    let fields = description.fields().flat_map(|(name, value)| [name, value]);
    encode_texts([role, &process, address].into_iter().chain(fields))
}

fn decode(bytes: &[u8]) -> Option<Greeting> {
    let texts = decode_texts(bytes)?;
    let [role, process, address, fields @ ..] = &texts[..] else { return None };
    let role = match role.as_str() {
        "control" => Role::Control,
        "data" => Role::Data,
        "leaving" => Role::Leaving,
        _ => return None,
    };
    let (fields, []) = fields.as_chunks::<2>() else { return None };
    let description = Description::new(fields.iter().map(|[name, value]| (name, value)));
    Some(Greeting { role, process: process.parse().ok()?, address: address.clone(), description })
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    fn greeting() -> Greeting {
        let description = Description::new([("board", "1 2\n3\t4"), ("", "")]);
        Greeting { role: Role::Data, process: 3, address: ":4700".to_owned(), description }
    }

    /// Runs a handshake and returns the results of both sides.
    fn shake(
        secrets: [&[u8]; 2],
        disagreement: Option<&str>,
    ) -> (Result<Greeting, Refusal>, Result<(), Refusal>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::scope(|scope| {
            let client = scope.spawn(move || {
                let mut stream = TcpStream::connect(address).expect("a connection");
                greet(&mut stream, secrets[1], &greeting(), TIME)
            });
            let (mut stream, _) = listener.accept().expect("a connection");
            let server = welcome(&mut stream, secrets[0], |_| disagreement.map(str::to_owned));
            (server, client.join().expect("no panic"))
        })
    }

    #[test]
    fn processes_with_the_same_secret_meet() {
        for secret in [&b""[..], b"a secret", &[7; 200]] {
            let (server, client) = shake([secret, secret], None);
            assert_eq!(server.expect("a greeting"), greeting());
            client.expect("welcome");
        }
    }

    #[test]
    fn another_secret_is_refused_by_both() {
        for secrets in [[&b"one"[..], b"other"], [b"one", b""], [b"", b"other"]] {
            let (server, client) = shake(secrets, None);
            assert!(matches!(server, Err(Refusal::Secret)), "{server:?}");
            assert!(matches!(client, Err(Refusal::Secret)), "{client:?}");
        }
    }

    #[test]
    fn a_disagreement_is_told() {
        let (server, client) = shake([b"one", b"one"], Some("its size is another one"));
        for refusal in [server.map(|_| ()), client] {
            let Err(Refusal::Differs(text)) = refusal else { panic!("{refusal:?}") };
            assert_eq!(text, "its size is another one");
        }
    }

    #[test]
    fn unknown_peers_are_refused() {
        for text in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 100], &[80, 0, 0, 0, 1, 2]] {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            let mut peer =
                TcpStream::connect(listener.local_addr().expect("an address")).expect("connected");
            peer.write_all(text).expect("written");
            peer.shutdown(std::net::Shutdown::Write).expect("shut down");
            let (mut stream, _) = listener.accept().expect("a connection");
            assert!(welcome(&mut stream, b"", |_| None).is_err());
        }
    }
}
