//! What is no gRPC: is the server alive, is it ready, what has it counted; and which pages may call it.

use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::Either;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use tonic::body::Body;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_layer::Layer;
use tower_service::Service;

use crate::service::Desk;
use crate::tokens::Tokens;

/// The layer that answers plain HTTP requests: `/healthz`, `/readyz` and `/metrics`.
#[derive(Clone)]
pub(crate) struct WebLayer {
    pub(crate) desk: Desk,
    pub(crate) tokens: Option<Arc<Tokens>>,
}

impl<S> Layer<S> for WebLayer {
    type Service = Web<S>;

    fn layer(&self, inner: S) -> Web<S> {
        Web { inner, layer: self.clone() }
    }
}

/// A service with pages beside it.
#[derive(Clone)]
pub(crate) struct Web<S> {
    inner: S,
    layer: WebLayer,
}

impl<S, R> Service<Request<R>> for Web<S>
where
    S: Service<Request<R>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<R>) -> Self::Future {
        match self.layer.page(&request) {
            Some((status, text)) => Either::Right(ready(Ok(plain(status, text)))),
            None => Either::Left(self.inner.call(request)),
        }
    }
}

impl WebLayer {
    fn page<R>(&self, request: &Request<R>) -> Option<(StatusCode, String)> {
        let page = request.uri().path();
        if !matches!(page, "/healthz" | "/readyz" | "/metrics") {
            return None;
        }
        Some(if !matches!(*request.method(), Method::GET | Method::HEAD) {
            (StatusCode::METHOD_NOT_ALLOWED, "GET it\n".to_owned())
        } else if page == "/healthz" {
            (StatusCode::OK, "ok\n".to_owned())
        } else if page == "/readyz" {
            match self.desk.refuses() {
                None => (StatusCode::OK, "ok\n".to_owned()),
                Some(refusal) => (StatusCode::SERVICE_UNAVAILABLE, format!("{refusal}\n")),
            }
        } else if self.tokens.as_ref().is_some_and(|tokens| tokens.who(request.headers()).is_none()) {
            (StatusCode::UNAUTHORIZED, format!("{}\n", crate::refusal::Refusal::Unknown))
        } else {
            match self.desk.metrics() {
                Ok(text) => (StatusCode::OK, text),
                Err(e) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{e}\n")),
            }
        })
    }
}

fn plain(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::new(text));
    *response.status_mut() = status;
    let text = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, text);
    response
}

/// Lets pages of these origins call, as gRPC-Web does; `*` is all of them. Without any, none may.
pub(crate) fn cors(origins: &[HeaderValue]) -> CorsLayer {
    let allowed = match origins.iter().any(|origin| origin == "*") {
        true => AllowOrigin::any(),
        false => AllowOrigin::list(origins.iter().cloned()),
    };
    let name = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::POST])
        .allow_headers([
            CONTENT_TYPE,
            AUTHORIZATION,
            name("x-grpc-web"),
            name("x-user-agent"),
            name("grpc-timeout"),
            name("connect-protocol-version"),
            name("x-request-id"),
        ])
        .expose_headers([
            name("grpc-status"),
            name("grpc-message"),
            name("grpc-status-details-bin"),
            name("x-request-id"),
            name("doublecross-table-set"),
        ])
        .max_age(std::time::Duration::from_secs(3600))
}
