//! Every call ends in time: at its deadline, or when the server stops; and no more begin than the server takes on.
//!
//! tonic drops a call whose `grpc-timeout` has passed, but answers `CANCELLED` and lets a stream whose first
//! message is out run on. This layer sits below that, sees each call before tonic starts its own clock, and ends the
//! call (response and stream alike) with `DEADLINE_EXCEEDED`. Dropping the call is what cancels its search. A unary call
//! without a deadline gets one, so that half a message does not keep its place for ever.

use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{self, Context, Poll};
use std::time::{Duration, Instant};

use futures_util::future::Either;
use http::{HeaderMap, Request, Response};
use http_body::{Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tower_layer::Layer;
use tower_service::Service;

use crate::caller::Deadline;
use crate::metrics::{Counted, Metrics};
use crate::refusal::Refusal;

/// The layer. Calls still running when `stop` is cancelled end at once.
#[derive(Clone)]
pub(crate) struct LeashLayer {
    stop: CancellationToken,
    /// The deadline of a unary call that has none.
    longest: Duration,
    /// How many calls may be under way.
    most: usize,
    under_way: Arc<AtomicUsize>,
    metrics: Arc<Metrics>,
}

/// What streams for as long as the client likes: its silence has an end of its own.
const STREAMS: [&str; 4] = [
    "/doublecross.v1.Solver/Evaluate",
    "/grpc.health.v1.Health/Watch",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
];

/// When a client should try again that was refused for too many calls.
const RETRY: Duration = Duration::from_secs(1);

impl<S> Layer<S> for LeashLayer {
    type Service = Leashed<S>;

    fn layer(&self, inner: S) -> Leashed<S> {
        Leashed { inner, layer: self.clone() }
    }
}

/// A service whose calls end in time.
#[derive(Clone)]
pub(crate) struct Leashed<S> {
    inner: S,
    layer: LeashLayer,
}

impl<S, R> Service<Request<R>> for Leashed<S>
where
    S: Service<Request<R>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<Call<S::Future>, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<R>) -> Self::Future {
        let Some(counted) = self.layer.count() else {
            return Either::Right(ready(Ok(Status::from(Refusal::Busy(RETRY)).into_http())));
        };
        let timeout = request.headers().get("grpc-timeout").and_then(|v| timeout(v.as_bytes()));
        let longest = || (!STREAMS.contains(&request.uri().path())).then_some(self.layer.longest);
        let deadline = timeout.or_else(longest).and_then(|t| Instant::now().checked_add(t));
        if let Some(deadline) = deadline {
            request.extensions_mut().insert(Deadline(deadline));
        }
        let leash = Leash { deadline, stop: self.layer.stop.clone(), end: None, _counted: counted };
        Either::Left(Call { inner: Some(self.inner.call(request)), leash: Some(leash) })
    }
}

impl LeashLayer {
    pub(crate) fn new(
        stop: CancellationToken,
        longest: Duration,
        most: usize,
        metrics: Arc<Metrics>,
    ) -> LeashLayer {
        LeashLayer { stop, longest, most, under_way: Arc::default(), metrics }
    }

    /// Counts a call for as long as it is under way; `None` when there are too many.
    fn count(&self) -> Option<UnderWay> {
        let before = self.under_way.fetch_add(1, Ordering::Relaxed);
        let counted = Counted::by(&self.metrics.calls);
        let under_way = UnderWay { calls: Arc::clone(&self.under_way), _counted: counted };
        if before >= self.most {
            self.metrics.refused.inc();
            return None;
        }
        Some(under_way)
    }
}

/// A call under way.
struct UnderWay {
    calls: Arc<AtomicUsize>,
    _counted: Counted,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What ends a call.
struct Leash {
    deadline: Option<Instant>,
    stop: CancellationToken,
    /// Made only when a call has to wait: most are answered at once.
    end: Option<Pin<Box<dyn Future<Output = Refusal> + Send>>>,
    _counted: UnderWay,
}

impl Leash {
    /// Whether the deadline has passed by the clock. Timers of tokio fire up to a millisecond late and in no promised
    /// order, and tonic's must never be seen before ours.
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Ready when the call must end, and why.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<Refusal> {
        let Leash { deadline, stop, end, .. } = self;
        let end = end.get_or_insert_with(|| {
            let (deadline, stop) = (*deadline, stop.clone());
            Box::pin(async move {
                let late = async {
                    match deadline {
                        Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    () = late => Refusal::Late,
                    () = stop.cancelled() => Refusal::Stopping,
                }
            })
        });
        end.as_mut().poll(cx)
    }
}

pin_project! {
    /// A call that waits for its response.
    pub(crate) struct Call<F> {
        #[pin]
        inner: Option<F>,
        leash: Option<Leash>,
    }
}

impl<F, E> Future for Call<F>
where
    F: Future<Output = Result<Response<Body>, E>>,
{
    type Output = Result<Response<Body>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let (Some(inner), Some(leash)) = (this.inner.as_mut().as_pin_mut(), this.leash.as_mut()) else {
            // Both are there until the call is ready, and a future is not polled after that.
            return Poll::Pending;
        };
        let refusal = if leash.is_late() {
            Refusal::Late
        } else if let Poll::Ready(response) = inner.poll(cx) {
            let leash = this.leash.take();
            let leashed = |body| Body::new(CallBody { inner: Some(body), leash });
            return Poll::Ready(response.map(|r| r.map(leashed)));
        } else {
            task::ready!(leash.poll_end(cx))
        };
        // Dropped here, not when the response has been sent: its search should end now.
        this.inner.set(None);
        Poll::Ready(Ok(Status::from(refusal).into_http()))
    }
}

pin_project! {
    /// The messages of a response, cut off when the call must end.
    struct CallBody {
        #[pin]
        inner: Option<Body>,
        leash: Option<Leash>,
    }
}

impl http_body::Body for CallBody {
    type Data = <Body as http_body::Body>::Data;
    type Error = <Body as http_body::Body>::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let mut this = self.project();
        let (Some(inner), Some(leash)) = (this.inner.as_mut().as_pin_mut(), this.leash.as_mut()) else {
            return Poll::Ready(None);
        };
        let refusal = if leash.is_late() {
            Refusal::Late
        } else if let Poll::Ready(frame) = inner.poll_frame(cx) {
            return Poll::Ready(frame);
        } else {
            task::ready!(leash.poll_end(cx))
        };
        this.inner.set(None);
        let mut trailers = HeaderMap::new();
        // It fails only on a message no header can hold, and ours are plain sentences.
        let _ = Status::from(refusal).add_header(&mut trailers);
        Poll::Ready(Some(Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(http_body::Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(|| SizeHint::with_exact(0), http_body::Body::size_hint)
    }
}

/// Reads a `grpc-timeout`: up to eight digits and a unit. What cannot be read is no deadline, as tonic has it.
fn timeout(header: &[u8]) -> Option<Duration> {
    let (unit, digits) = header.split_last()?;
    if digits.is_empty() || digits.len() > 8 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let n = digits.iter().fold(0, |n: u64, d| n * 10 + u64::from(d - b'0'));
    match unit {
        b'H' => Some(Duration::from_secs(n * 3600)),
        b'M' => Some(Duration::from_secs(n * 60)),
        b'S' => Some(Duration::from_secs(n)),
        b'm' => Some(Duration::from_millis(n)),
        b'u' => Some(Duration::from_micros(n)),
        b'n' => Some(Duration::from_nanos(n)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_grpc_writes_them() {
        assert_eq!(timeout(b"1H"), Some(Duration::from_secs(3600)));
        assert_eq!(timeout(b"2M"), Some(Duration::from_secs(120)));
        assert_eq!(timeout(b"3S"), Some(Duration::from_secs(3)));
        assert_eq!(timeout(b"00000004m"), Some(Duration::from_millis(4)));
        assert_eq!(timeout(b"5u"), Some(Duration::from_micros(5)));
        assert_eq!(timeout(b"99999999n"), Some(Duration::from_nanos(99_999_999)));
        for wrong in [&b""[..], b"S", b"5", b"123456789S", b"-1S", b"1 S", b"1s"] {
            assert_eq!(timeout(wrong), None);
        }
    }
}
