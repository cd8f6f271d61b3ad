//! Searches, kept off the async threads and few at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use crate::refusal::Refusal;

/// Runs searches on blocking threads, at most so many at once; the others wait in line.
#[derive(Clone, Debug)]
pub(crate) struct Searches {
    permits: Arc<Semaphore>,
}

impl Searches {
    /// At most `limit` searches at once, at least one.
    pub(crate) fn new(limit: usize) -> Searches {
        Searches { permits: Arc::new(Semaphore::new(limit.clamp(1, Semaphore::MAX_PERMITS))) }
    }

    /// Runs `work` when its turn comes. When the future is dropped the flag given to `work` is set; the place it
    /// takes is free again only once it has really ended.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        // The semaphore is never closed, so there is always a permit to wait for.
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| Refusal::Stopping)?;
        let cancel = CancelOnDrop(Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&cancel.0);
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work(&flag)
        });
        done.await.map_err(|e| {
            tracing::error!(error = %e, "a search failed");
            Refusal::Fault
        })
    }
}

/// Sets the flag of a search nobody waits for any more.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::sync::oneshot;

    use super::*;

    /// A search that says when it starts and ends, and ends only when told to.
    fn endless(
        searches: &Searches,
    ) -> (tokio::task::JoinHandle<Result<(), Refusal>>, oneshot::Receiver<()>, oneshot::Receiver<()>) {
        let (start, started) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        let searches = searches.clone();
        let call = tokio::spawn(async move {
            let work = move |cancel: &AtomicBool| {
                start.send(()).unwrap();
                while !cancel.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                end.send(()).unwrap();
            };
            searches.run(work).await
        });
        (call, started, ended)
    }

    #[tokio::test]
    async fn a_dropped_call_cancels_its_search_and_frees_its_place() {
        let searches = Searches::new(1);
        let (call, started, ended) = endless(&searches);
        started.await.unwrap();
        call.abort();
        ended.await.unwrap();
        assert_eq!(searches.run(|_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn no_more_run_at_once_than_allowed() {
        let searches = Searches::new(1);
        let (first, started, ended) = endless(&searches);
        started.await.unwrap();
        // The second in line does not begin while the first runs, though it has its own thread to run on.
        let (begin, begun) = mpsc::channel();
        let second = tokio::spawn({
            let searches = searches.clone();
            async move { searches.run(move |_| begin.send(()).unwrap()).await }
        });
        tokio::task::yield_now().await;
        assert_eq!(searches.permits.available_permits(), 0);
        assert!(begun.try_recv().is_err());
        first.abort();
        ended.await.unwrap();
        assert_eq!(second.await.unwrap(), Ok(()));
        assert!(begun.try_recv().is_ok());
    }

    #[tokio::test]
    async fn a_search_that_panics_is_a_fault_and_frees_its_place() {
        let searches = Searches::new(1);
        let failed: Result<(), Refusal> = searches.run(|_| panic!("on purpose")).await;
        assert_eq!(failed, Err(Refusal::Fault));
        assert_eq!(searches.run(|_| 7).await, Ok(7));
    }
}
