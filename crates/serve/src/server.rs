//! The HTTP server: accepts connections on the loopback interface only, limits their number and
//! time, and dispatches requests.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use fewest_core::budget::{Budget, Limits};
use fewest_web::assets::{self, Transport};
use fewest_web::{Download, Handler, Puzzles, RequestError, catalog, handler};
use http_body_util::{BodyExt, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use crate::guard::Guard;
use crate::jobs::{INTERNAL_ERROR, Jobs, Lines, NoAnswer, Running};

/// The maximum number of simultaneous connections. A browser uses six.
const MAX_CONNECTIONS: usize = 128;
/// The timeout for the headers of a request, and for its body.
const REQUEST_TIME: Duration = Duration::from_secs(10);
/// The maximum size of the headers of a request, and of its body.
const MAX_HEAD_BYTES: usize = 16 << 10;
const MAX_BODY_BYTES: usize = 1 << 20;
/// The interval at which the server checks the stop flag.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// The content security policy of the page: only resources of this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The content security policy of pictures: only their embedded style sheet.
const PICTURE_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The text of an instance of the first puzzle, which the page opens at the start; `None` for
    /// its first built-in instance.
    pub start: Option<String>,
    /// The port; 0 chooses a free one.
    pub port: u16,
    /// The time limit of each search, and the memory limit of all searches together.
    pub limits: Limits,
    /// The maximum number of concurrent searches.
    pub threads: NonZero<usize>,
}

/// A server that accepts connections only from this machine.
pub struct Server {
    listener: std::net::TcpListener,
    guard: Guard,
    puzzles: Puzzles,
    config: Config,
}

/// What all connections share.
struct ServerState {
    guard: Guard,
    puzzles: Puzzles,
    jobs: Jobs,
    catalog: Bytes,
}

impl Server {
    /// Binds the port. Connections wait until [`run`](Self::run) is called.
    ///
    /// # Errors
    /// If the port is in use, or the system provides no random numbers.
    pub fn bind(puzzles: Puzzles, config: Config) -> io::Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, config.port));
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let guard = Guard::new(listener.local_addr()?.port())?;
        Ok(Self { listener, guard, puzzles, config })
    }

    /// The address of the page, including the secret token.
    pub fn url(&self) -> String {
        self.guard.url()
    }

    /// Serves requests until `stop` is `true`, then cancels all jobs and closes all connections.
    ///
    /// # Errors
    /// If the runtime cannot be started.
    pub fn run(self, stop: Arc<AtomicBool>) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let served = runtime.block_on(async move {
            let listener = TcpListener::from_std(self.listener)?;
            let shared = Arc::new(ServerState {
                guard: self.guard,
                puzzles: self.puzzles,
                jobs: Jobs::new(self.config.limits, self.config.threads, Arc::clone(&stop)),
                catalog: catalog(self.puzzles, self.config.start).to_string().into(),
            });
            accept(&listener, &shared, &stop).await;
            Ok(())
        });
        // `stop` has cancelled all jobs, so they end soon.
        runtime.shutdown_timeout(REQUEST_TIME);
        served
    }
}

/// A connection.
struct Connection {
    abort: AbortHandle,
    /// Whether it has sent a request with the token.
    is_trusted: Arc<AtomicBool>,
}

async fn accept(listener: &TcpListener, shared: &Arc<ServerState>, stop: &AtomicBool) {
    let mut connections: VecDeque<Connection> = VecDeque::new();
    // The accept loop has no other way to notice the flag, so it wakes up every STOP_INTERVAL.
    while !stop.load(Ordering::Relaxed) {
        let Ok(accepted) = tokio::time::timeout(STOP_INTERVAL, listener.accept()).await else {
            continue;
        };
        let Ok((stream, _)) = accepted else {
            // For example too many open files. Wait until some are closed.
            tokio::time::sleep(STOP_INTERVAL).await;
            continue;
        };
        connections.retain(|connection| !connection.abort.is_finished());
        if connections.len() >= MAX_CONNECTIONS {
            // Close the oldest connection without the token. If all have it, close the new one.
            let is_untrusted = |one: &Connection| !one.is_trusted.load(Ordering::Relaxed);
            let Some(oldest) = connections.iter().position(is_untrusted) else { continue };
            if let Some(closed) = connections.remove(oldest) {
                closed.abort.abort();
            }
        }
        let is_trusted = Arc::<AtomicBool>::default();
        let connection = answer_all(stream, Arc::clone(shared), Arc::clone(&is_trusted));
        let abort = tokio::spawn(connection).abort_handle();
        connections.push_back(Connection { abort, is_trusted });
    }
}

/// Serves the requests of a connection.
async fn answer_all(stream: TcpStream, shared: Arc<ServerState>, is_trusted: Arc<AtomicBool>) {
    let service = service_fn(move |request| {
        let (shared, is_trusted) = (Arc::clone(&shared), Arc::clone(&is_trusted));
        async move { Ok::<_, Infallible>(answer(request, &shared, &is_trusted).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIME)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    // Ignore errors: a broken connection only affects the client.
    let _ = connection.await;
}

/// A response body: fixed bytes, or the lines of a running job.
enum Answer {
    Bytes(Option<Bytes>),
    Job(Running),
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            Self::Bytes(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Job(job) => {
                job.poll_line(context).map(|line| line.map(|line| Ok(Frame::data(line.into()))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Bytes(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Bytes(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
            Self::Job(_) => SizeHint::default(),
        }
    }
}

async fn answer(
    request: Request<Incoming>,
    shared: &Arc<ServerState>,
    is_trusted: &AtomicBool,
) -> Response<Answer> {
    let path = request.uri().path().to_owned();
    let Some(path) = shared.guard.admit(request.headers(), &path) else {
        let text = "open the address that the program has printed\n";
        return bytes(StatusCode::FORBIDDEN, "text/plain", text.into());
    };
    is_trusted.store(true, Ordering::Relaxed);
    // The catalog and files are GET; everything that carries a position is POST with JSON.
    match *request.method() {
        Method::GET => get(path, shared),
        Method::POST => post(path, request, shared).await,
        _ => refused(StatusCode::METHOD_NOT_ALLOWED, "only GET and POST"),
    }
}

fn get(path: &str, shared: &ServerState) -> Response<Answer> {
    if path == "catalog.json" {
        return bytes(StatusCode::OK, JSON, shared.catalog.clone());
    }
    match assets::find(path, Transport::Http) {
        Some(asset) => bytes(StatusCode::OK, asset.media_type, asset.text.into()),
        None => refused(StatusCode::NOT_FOUND, "no such file"),
    }
}

async fn post(
    path: &str,
    request: Request<Incoming>,
    shared: &Arc<ServerState>,
) -> Response<Answer> {
    // A cross-site page can send a POST request with `text/plain` without a CORS preflight, but not
    // with JSON.
    if request.headers().get(header::CONTENT_TYPE).is_none_or(|kind| kind != JSON) {
        return refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected JSON");
    }
    let body = Limited::new(request.into_body(), MAX_BODY_BYTES).collect();
    let body = match tokio::time::timeout(REQUEST_TIME, body).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) => return refused(StatusCode::PAYLOAD_TOO_LARGE, "at most 1 MiB"),
        Err(_) => return refused(StatusCode::REQUEST_TIMEOUT, "the request took too long"),
    };
    let puzzles = shared.puzzles;
    match path.strip_prefix("api/").and_then(handler) {
        Some(Handler::Value(answer)) => {
            let work = move |budget: &Budget| answer(puzzles, &body, budget);
            match shared.jobs.answer(work).await {
                Ok(Ok(answer)) => bytes(StatusCode::OK, JSON, answer.to_string().into()),
                Ok(Err(fault)) => faulty(&fault),
                Err(none) => unanswered(none),
            }
        }
        Some(Handler::File(draw)) => {
            let draw = move |budget: &Budget| draw(puzzles, &body, budget);
            download(shared.jobs.answer_long(draw).await)
        }
        Some(Handler::Parts(answer)) => {
            let work = move |budget: &Budget, lines: &Lines| {
                let mut send = |part: Value| lines.send(&part);
                if let Err(fault) = answer(puzzles, &body, budget, &mut send) {
                    lines.send(&Failed { error: &fault });
                }
            };
            match shared.jobs.start(work).await {
                Ok(job) => {
                    response(StatusCode::OK, "application/x-ndjson", Answer::Job(job), POLICY)
                }
                Err(none) => unanswered(none),
            }
        }
        None => refused(StatusCode::NOT_FOUND, "no such request"),
    }
}

/// The response with a picture, or the error.
fn download(drawn: Result<Result<Download, RequestError>, NoAnswer>) -> Response<Answer> {
    match drawn {
        Ok(Ok((media_type, file))) => {
            let answer = Answer::Bytes(Some(file.into()));
            response(StatusCode::OK, media_type, answer, PICTURE_POLICY)
        }
        Ok(Err(fault)) => faulty(&fault),
        Err(none) => unanswered(none),
    }
}

const JSON: &str = "application/json";

#[derive(Serialize)]
struct Failed<'a> {
    error: &'a RequestError,
}

fn faulty(fault: &RequestError) -> Response<Answer> {
    let text = json!({ "error": fault }).to_string();
    bytes(StatusCode::UNPROCESSABLE_ENTITY, JSON, text.into())
}

fn unanswered(none: NoAnswer) -> Response<Answer> {
    match none {
        NoAnswer::Busy => {
            refused(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; ask again later")
        }
        NoAnswer::Failed => refused(StatusCode::INTERNAL_SERVER_ERROR, INTERNAL_ERROR),
    }
}

fn refused(status: StatusCode, message: &str) -> Response<Answer> {
    bytes(status, JSON, json!({ "error": { "message": message } }).to_string().into())
}

fn bytes(status: StatusCode, media_type: &'static str, bytes: Bytes) -> Response<Answer> {
    response(status, media_type, Answer::Bytes(Some(bytes)), POLICY)
}

fn response(
    status: StatusCode,
    media_type: &'static str,
    answer: Answer,
    policy: &'static str,
) -> Response<Answer> {
    let mut response = Response::new(answer);
    *response.status_mut() = status;
    let headers: [(HeaderName, &'static str); 6] = [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // The URL contains the token, which must not leak in `Referer`.
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    // Close the connection, because the rest of the request body is not read.
    if status == StatusCode::PAYLOAD_TOO_LARGE || status == StatusCode::FORBIDDEN {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
