//! The connection that the engine uses. The engine panics in its threads if a connection ends, so
//! it never learns of it: the thread waits until the process ends. The [control](crate::control)
//! connection tells what happened.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::shared::Shared;

/// A connection of the engine, whose bytes are counted.
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

/// Waits until the process ends.
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
        // The other process may be gone.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
