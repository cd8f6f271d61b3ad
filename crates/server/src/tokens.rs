//! Bearer tokens: who has one may call.

use std::collections::HashMap;
use std::future::{Ready, ready};
use std::path::PathBuf;
use std::sync::Arc;
use std::task::{Context, Poll};

use arc_swap::ArcSwap;
use futures_util::future::Either;
use http::header::AUTHORIZATION;
use http::{HeaderMap, Request, Response};
use thiserror::Error;
use tonic::Status;
use tonic::body::Body;
use tower_layer::Layer;
use tower_service::Service;

use crate::caller::Who;
use crate::refusal::Refusal;

/// The shortest token; a shorter one could be guessed.
const SHORTEST: usize = 16;

/// What needs no token: health, for those who watch over the server.
const OPEN: &str = "/grpc.health.v1.Health/";

/// A file of tokens that cannot be used. No token is ever shown.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TokensError {
    /// It cannot be read.
    #[error("{} cannot be read ({cause})", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: std::io::Error,
    },
    /// A line is no token.
    #[error("{}, line {line}: a token is {SHORTEST} or more visible ASCII characters without spaces", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// There is none.
    #[error("{} has no token, so nobody could call; write one a line", .0.display())]
    Empty(PathBuf),
}

/// The tokens of a file: one a line; blank lines and lines that begin with `#` are none.
///
/// Only their hashes are kept and compared, so neither memory nor timing gives one away.
pub(crate) struct Tokens {
    path: PathBuf,
    hashes: ArcSwap<HashMap<[u8; 32], u32>>,
}

impl Tokens {
    pub(crate) fn load(path: PathBuf) -> Result<Tokens, TokensError> {
        let hashes = ArcSwap::from_pointee(read(&path)?);
        Ok(Tokens { path, hashes })
    }

    /// Reads the file again; with an error everything stays as it was.
    pub(crate) fn reload(&self) -> Result<(), TokensError> {
        self.hashes.store(Arc::new(read(&self.path)?));
        Ok(())
    }

    /// Who calls, by the token in these headers.
    pub(crate) fn who(&self, headers: &HeaderMap) -> Option<Who> {
        let value = headers.get(AUTHORIZATION)?.as_bytes();
        let (scheme, token) = value.split_at_checked(b"Bearer ".len())?;
        if !scheme.eq_ignore_ascii_case(b"Bearer ") {
            return None;
        }
        self.hashes.load().get(blake3::hash(token.trim_ascii()).as_bytes()).map(|&n| Who::Token(n))
    }
}

fn read(path: &PathBuf) -> Result<HashMap<[u8; 32], u32>, TokensError> {
    let text =
        std::fs::read_to_string(path).map_err(|cause| TokensError::Unread { path: path.clone(), cause })?;
    let mut hashes = HashMap::new();
    for (i, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line.len() < SHORTEST || !line.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(TokensError::Line { path: path.clone(), line: i + 1 });
        }
        hashes.insert(*blake3::hash(line.as_bytes()).as_bytes(), i as u32);
    }
    if hashes.is_empty() {
        return Err(TokensError::Empty(path.clone()));
    }
    Ok(hashes)
}

/// The layer that asks for a token, if the server wants one.
#[derive(Clone)]
pub(crate) struct TokenLayer(pub(crate) Option<Arc<Tokens>>);

impl<S> Layer<S> for TokenLayer {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { inner, tokens: self.0.clone() }
    }
}

/// A service behind a token.
#[derive(Clone)]
pub(crate) struct Guarded<S> {
    inner: S,
    tokens: Option<Arc<Tokens>>,
}

impl<S, R> Service<Request<R>> for Guarded<S>
where
    S: Service<Request<R>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<R>) -> Self::Future {
        if let Some(tokens) = &self.tokens
            && !request.uri().path().starts_with(OPEN)
        {
            let Some(who) = tokens.who(request.headers()) else {
                return Either::Right(ready(Ok(Status::from(Refusal::Unknown).into_http())));
            };
            request.extensions_mut().insert(who);
        }
        Either::Left(self.inner.call(request))
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokens");
        std::fs::write(&path, text).unwrap();
        (dir, path)
    }

    #[test]
    fn tokens_are_known_by_their_whole_text() {
        let (_dir, path) = file("# ours\n0123456789abcdef\n\nfedcba9876543210\n");
        let tokens = Tokens::load(path.clone()).unwrap();
        let who = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, HeaderValue::from_str(value).unwrap());
            tokens.who(&headers)
        };
        assert_eq!(who("Bearer 0123456789abcdef"), Some(Who::Token(1)));
        assert_eq!(who("bearer fedcba9876543210"), Some(Who::Token(3)));
        for unknown in ["Bearer 0123456789abcde", "Bearer ", "Basic 0123456789abcdef", "0123456789abcdef", ""]
        {
            assert_eq!(who(unknown), None, "{unknown}");
        }
        assert_eq!(tokens.who(&HeaderMap::new()), None);
        // A new file counts; one that cannot be used does not.
        std::fs::write(&path, "another-token-of-ours\n").unwrap();
        tokens.reload().unwrap();
        assert_eq!(who("Bearer another-token-of-ours"), Some(Who::Token(0)));
        std::fs::write(&path, "short\n").unwrap();
        let error = tokens.reload().unwrap_err().to_string();
        assert!(error.contains("line 1") && !error.contains("short\n"), "{error}");
        assert_eq!(who("Bearer another-token-of-ours"), Some(Who::Token(0)));
    }

    #[test]
    fn a_file_without_tokens_is_refused() {
        let (_dir, path) = file("# none\n\n");
        assert!(matches!(Tokens::load(path), Err(TokensError::Empty(_))));
    }
}
