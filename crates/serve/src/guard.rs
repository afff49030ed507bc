//! Accepts only requests of the page that was opened with the secret token.
//!
//! Another website can make the browser send requests to this machine. With DNS rebinding, where
//! its own name resolves to 127.0.0.1, it can even read the responses. Such requests carry the name
//! of that site in `Host` and `Origin`, so both headers must name this server.

use hyper::header::{HOST, HeaderMap, ORIGIN};

/// The number of random bytes of a token.
const TOKEN_BYTES: usize = 16;

/// What a request must contain: the token, and the right host and origin.
#[derive(Debug)]
pub(crate) struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    /// A guard with a new random token.
    pub(crate) fn new(port: u16) -> std::io::Result<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { token, port })
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Returns the path after the token, or `None` if the request is refused.
    pub(crate) fn admit<'a>(&self, headers: &HeaderMap, path: &'a str) -> Option<&'a str> {
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let mut hosts = headers.get_all(HOST).iter();
        let (host, another) = (hosts.next()?, hosts.next());
        let is_host = another.is_none() && names.iter().any(|name| host == name.as_str());
        let is_own = |origin: &[u8]| {
            origin
                .strip_prefix(b"http://")
                .is_some_and(|rest| names.iter().any(|name| rest == name.as_bytes()))
        };
        let are_own = headers.get_all(ORIGIN).iter().all(|origin| is_own(origin.as_bytes()));
        let (token, rest) = path.strip_prefix('/')?.split_once('/')?;
        (is_host && are_own && same(token, &self.token)).then_some(rest)
    }
}

/// Compares two texts in constant time, so that the token cannot be guessed byte by byte.
fn same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(of: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in of {
            headers.append(*name, value.parse().expect("a value"));
        }
        headers
    }

    #[test]
    fn only_the_page_with_the_token_is_admitted() {
        let guard = Guard::new(8080).expect("random numbers");
        let path = format!("/{}/api/solve", guard.token);
        let admit = |of: &[(&'static str, &str)], path: &str| {
            guard.admit(&headers(of), path).map(str::to_owned)
        };
        let own = ("host", "127.0.0.1:8080");
        assert_eq!(admit(&[own], &path).as_deref(), Some("api/solve"));
        let origin = ("origin", "http://localhost:8080");
        assert!(admit(&[("host", "localhost:8080"), origin], &path).is_some());
        for others in [
            &[] as &[_],
            &[("host", "evil.example:8080")],
            &[("host", "127.0.0.1")],
            &[("host", "127.0.0.1:8081")],
            &[("host", "127.0.0.1:8080.evil.example")],
            &[own, ("host", "evil.example")],
            &[own, ("origin", "http://evil.example")],
            &[own, ("origin", "https://127.0.0.1:8080")],
            &[own, ("origin", "null")],
            &[own, origin, ("origin", "http://evil.example")],
        ] {
            assert_eq!(admit(others, &path), None, "{others:?}");
        }
        let other = if guard.token.ends_with('0') { 1 } else { 0 };
        let wrong = format!("/{}{other}/", &guard.token[..31]);
        let short = format!("/{}/", &guard.token[..31]);
        for path in ["", "/", "//", "/api/solve", &wrong, &short, &path[1..], &path[..33]] {
            assert_eq!(admit(&[own], path), None, "{path}");
        }
        assert_ne!(Guard::new(8080).expect("random numbers").token, guard.token);
    }
}
