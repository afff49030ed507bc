//! The data connection. timely panics in its connection threads if a connection fails, so failures
//! are hidden from it: the thread parks until the process exits. The [control](crate::control)
//! connection detects the failure.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::shared::Shared;

/// A TCP stream for timely that counts the bytes sent and never fails.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: TcpStream,
    shared: Arc<Shared>,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, shared: &Arc<Shared>) -> io::Result<Self> {
        stream.set_read_timeout(None)?;
        Ok(Self { stream, shared: Arc::clone(shared) })
    }
}

/// Parks this thread until the process exits.
fn wait() -> ! {
    loop {
        thread::park();
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => wait(),
                read => return read,
            }
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Ok(written) = self.stream.write(bytes) else { wait() };
        self.shared.lock().traffic.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Socket {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { stream: self.stream.try_clone()?, shared: Arc::clone(&self.shared) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Ignore errors: the other process may have closed the connection.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
