//! Ctrl-C and SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

use crate::failure::Failure;

/// Whether somebody asked us to stop, as a flag for loops and as a future for everything else. A second
/// Ctrl-C ends the process at once.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt {
    flag: Arc<AtomicBool>,
    seen: watch::Receiver<bool>,
}

impl Interrupt {
    /// Starts listening; needs a running runtime.
    pub(crate) fn listen() -> Result<Interrupt, Failure> {
        let deaf = |e| Failure::no(format!("cannot listen for Ctrl-C ({e})"));
        let mut signals = Signals::new().map_err(deaf)?;
        let flag = Arc::new(AtomicBool::new(false));
        let (tell, seen) = watch::channel(false);
        let raise = Arc::clone(&flag);
        tokio::spawn(async move {
            signals.next().await;
            raise.store(true, Ordering::Relaxed);
            // Nobody waits: then the flag is enough.
            let _ = tell.send(true);
            signals.next().await;
            std::process::exit(1);
        });
        Ok(Interrupt { flag, seen })
    }

    /// The flag, for work that polls.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Whether we were asked to stop.
    pub(crate) fn is_raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Waits until we are asked to stop.
    pub(crate) async fn raised(&self) {
        let mut seen = self.seen.clone();
        if seen.wait_for(|&raised| raised).await.is_err() {
            // The listener is gone, so nobody will ever ask.
            std::future::pending::<()>().await;
        }
    }

    /// Waits for some work, or gives up when we are asked to stop.
    pub(crate) async fn unless_raised<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::select! {
            done = work => done,
            () = self.raised() => Err(Failure::Interrupted),
        }
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Signals> {
        Ok(Signals)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
