//! Every call has a name: the client's own, or one made here. It is in every line logged on the way, and in the answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use http::{HeaderName, HeaderValue, Request, Response};
use pin_project_lite::pin_project;
use tower_layer::Layer;
use tower_service::Service;
use tracing::{Instrument as _, Span, instrument::Instrumented};

/// The header that has it.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest name of a client's that is kept.
const LONGEST: usize = 64;

/// The layer that names calls.
#[derive(Clone)]
pub(crate) struct TraceLayer {
    next: Arc<AtomicU64>,
}

impl TraceLayer {
    pub(crate) fn new() -> TraceLayer {
        // Begun somewhere else in every run, so that names of two runs differ; it need not be a secret.
        use std::hash::BuildHasher as _;
        let start = std::collections::hash_map::RandomState::new().hash_one(0);
        TraceLayer { next: Arc::new(AtomicU64::new(start)) }
    }
}

impl<S> Layer<S> for TraceLayer {
    type Service = Traced<S>;

    fn layer(&self, inner: S) -> Traced<S> {
        Traced { inner, next: Arc::clone(&self.next) }
    }
}

/// A service whose calls have names.
#[derive(Clone)]
pub(crate) struct Traced<S> {
    inner: S,
    next: Arc<AtomicU64>,
}

impl<S, R, B> Service<Request<R>> for Traced<S>
where
    S: Service<Request<R>, Response = Response<B>>,
{
    type Response = Response<B>;
    type Error = S::Error;
    type Future = Named<Instrumented<S::Future>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<R>) -> Self::Future {
        let sent = request.headers().get(REQUEST_ID).filter(|id| is_name(id.as_bytes())).cloned();
        let id = sent.or_else(|| {
            // Multiplied by an odd number, so that neighbours do not look alike.
            let n = self.next.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            HeaderValue::from_str(&format!("{n:016x}")).ok()
        });
        let span = tracing::info_span!(
            "call",
            id = id.as_ref().and_then(|id| id.to_str().ok()),
            method = request.uri().path()
        );
        let inner = span.in_scope(|| self.inner.call(request));
        Named { inner: inner.instrument(span), id, began: Instant::now() }
    }
}

/// Letters, digits and what ids are made of, so that a line of the log stays one line.
fn is_name(id: &[u8]) -> bool {
    (1..=LONGEST).contains(&id.len())
        && id.iter().all(|&b| b.is_ascii_alphanumeric() || b"-_.:/+=".contains(&b))
}

pin_project! {
    /// A call that answers with its name.
    pub(crate) struct Named<F> {
        #[pin]
        inner: F,
        id: Option<HeaderValue>,
        began: Instant,
    }
}

impl<F, B, E> Future for Named<Instrumented<F>>
where
    F: Future<Output = Result<Response<B>, E>>,
{
    type Output = Result<Response<B>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let mut response = ready!(this.inner.as_mut().poll(cx))?;
        let span: &Span = this.inner.span();
        if tracing::enabled!(tracing::Level::DEBUG) {
            let status = response.headers().get("grpc-status").and_then(|s| s.to_str().ok()).unwrap_or("0");
            span.in_scope(|| tracing::debug!(status, elapsed = ?this.began.elapsed(), "answered"));
        }
        if let Some(id) = this.id.take() {
            response.headers_mut().insert(REQUEST_ID, id);
        }
        Poll::Ready(Ok(response))
    }
}
