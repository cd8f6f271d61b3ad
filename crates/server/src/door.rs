//! The door: connections, one by one, until there are too many; encrypted if the server is; cut when they say nothing.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::Sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::Connected;

use crate::metrics::{Counted, Metrics};
use crate::tls::Tls;

/// What the door lets in.
pub(crate) struct Door {
    pub(crate) tls: Option<Arc<Tls>>,
    /// How many connections may be open.
    pub(crate) connections: usize,
    /// How long until the first bytes, the handshake of TLS included; and how long without any after them.
    pub(crate) greeting: Duration,
    pub(crate) idle: Duration,
    pub(crate) metrics: Arc<Metrics>,
}

/// How long to wait when there is nothing to accept a connection with, such as a file descriptor.
const BREATH: Duration = Duration::from_millis(50);

/// Connections accepted and not yet served.
const HALL: usize = 64;

impl Door {
    /// Opens; connections come in until `closing` is cancelled.
    pub(crate) fn open(
        self,
        listener: TcpListener,
        closing: CancellationToken,
    ) -> ReceiverStream<io::Result<Connection>> {
        let (enter, hall) = mpsc::channel(HALL);
        tokio::spawn(async move {
            let places = Arc::new(Semaphore::new(self.connections.clamp(1, Semaphore::MAX_PERMITS)));
            let door = Arc::new(self);
            loop {
                let accepted = tokio::select! {
                    accepted = listener.accept() => accepted,
                    () = closing.cancelled() => break,
                };
                match accepted {
                    Ok((stream, peer)) => {
                        // Hung up at once, when there are too many.
                        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
                        let (door, enter) = (Arc::clone(&door), enter.clone());
                        tokio::spawn(async move {
                            match tokio::time::timeout(door.greeting, door.greet(stream, peer, place)).await {
                                // Nobody serves any more when it cannot be sent.
                                Ok(Ok(connection)) => drop(enter.send(Ok(connection)).await),
                                Ok(Err(e)) => tracing::debug!("{peer} did not get in: {e}"),
                                Err(_) => tracing::debug!("{peer} did not get in: it took too long"),
                            }
                        });
                    }
                    Err(e) => {
                        tracing::warn!("cannot accept a connection ({e})");
                        tokio::time::sleep(BREATH).await;
                    }
                }
            }
        });
        ReceiverStream::new(hall)
    }

    async fn greet(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        place: OwnedSemaphorePermit,
    ) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        let stream = match &self.tls {
            None => Stream::Plain(stream),
            Some(tls) => Stream::Tls(Box::new(TlsAcceptor::from(tls.now()).accept(stream).await?)),
        };
        let now = Instant::now();
        Ok(Connection {
            stream,
            peer,
            heard: now,
            patience: self.greeting,
            idle: self.idle,
            alarm: Box::pin(tokio::time::sleep_until((now + self.greeting).into())),
            _place: place,
            _counted: Counted::by(&self.metrics.connections),
        })
    }
}

/// Who is at the other end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// An open connection; it fails when nothing has gone either way for too long.
pub(crate) struct Connection {
    stream: Stream,
    peer: SocketAddr,
    /// When something last went over it, and how long may pass until something does again.
    heard: Instant,
    patience: Duration,
    idle: Duration,
    /// It goes off at the earliest time the connection may have to be cut, and is then set anew.
    alarm: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
    _counted: Counted,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        Peer(self.peer)
    }
}

impl Connection {
    fn heard(&mut self) {
        self.heard = Instant::now();
        self.patience = self.idle;
    }

    /// Ready when nothing has gone over the connection for too long.
    fn poll_quiet(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(self.alarm.as_mut().poll(cx));
            let until = self.heard + self.patience;
            if until <= Instant::now() {
                return Poll::Ready(());
            }
            self.alarm.as_mut().reset(until.into());
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let read = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Stream::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
        };
        if read.is_ready() {
            this.heard();
            return read;
        }
        ready!(this.poll_quiet(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let wrote = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
        };
        if wrote.is_ready() {
            this.heard();
        }
        wrote
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let wrote = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write_vectored(cx, parts),
            Stream::Tls(stream) => Pin::new(stream).poll_write_vectored(cx, parts),
        };
        if wrote.is_ready() {
            this.heard();
        }
        wrote
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
