//! What can be set about a client.

use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use super::{Client, ClientError, RetryPolicy, Solver};

/// How long to wait for a server to take a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a call may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// How many requests of a batch may be under way: as many as the server reads ahead.
const WINDOW: usize = 256;

/// The largest answer to read, in bytes. One answer is small; a list of 10,000 need not be.
const MAX_ANSWER: usize = 256 << 20;

/// What can be set about a [`Client`]. The defaults suit a server nearby.
#[must_use]
pub struct ClientBuilder {
    uri: String,
    token: Option<String>,
    deadline: Option<Duration>,
    retry: RetryPolicy,
    window: usize,
    #[cfg(feature = "client-tls")]
    tls: tls::Trust,
}

impl ClientBuilder {
    pub(super) fn new(uri: String) -> ClientBuilder {
        ClientBuilder {
            uri,
            token: None,
            deadline: Some(DEADLINE),
            retry: RetryPolicy::default(),
            window: WINDOW,
            #[cfg(feature = "client-tls")]
            tls: tls::Trust::default(),
        }
    }

    /// Shows this token with every call: `authorization: Bearer <token>`. Over `http` anyone on the way can read it.
    pub fn token(self, token: impl Into<String>) -> ClientBuilder {
        ClientBuilder { token: Some(token.into()), ..self }
    }

    /// How long a call may take, its retries included, or `None` for as long as it takes; thirty seconds by default.
    /// A search that may take a minute by its budget needs more.
    ///
    /// A batch may take as long as it likes; there this is how long to wait for the next answer.
    pub fn deadline(self, deadline: impl Into<Option<Duration>>) -> ClientBuilder {
        ClientBuilder { deadline: deadline.into(), ..self }
    }

    /// How often, and for how long, to ask again when the server is busy; by default ten times in thirty seconds.
    pub fn retry(self, retry: RetryPolicy) -> ClientBuilder {
        ClientBuilder { retry, ..self }
    }

    /// How many requests of a batch may be under way at once, at least 1; 256 by default.
    pub fn window(self, requests: usize) -> ClientBuilder {
        ClientBuilder { window: requests.max(1), ..self }
    }

    /// Connects.
    ///
    /// # Errors
    ///
    /// [`ClientError::Address`] and [`ClientError::Token`] for what cannot be, and [`ClientError::Connect`] when
    /// nothing at the address takes a connection within five seconds.
    pub async fn connect(self) -> Result<Client, ClientError> {
        let connected = self.endpoint()?.connect().await;
        let channel = connected.map_err(|source| ClientError::Connect { uri: self.uri.clone(), source })?;
        self.over(channel)
    }

    /// Connects with the first call, which fails with `UNAVAILABLE` when there is no server. To be called within a
    /// runtime of tokio.
    ///
    /// # Errors
    ///
    /// [`ClientError::Address`] and [`ClientError::Token`] for what cannot be.
    pub fn connect_lazy(self) -> Result<Client, ClientError> {
        let channel = self.endpoint()?.connect_lazy();
        self.over(channel)
    }

    /// A client over a channel made elsewhere; address and certificates are those of the channel.
    ///
    /// # Errors
    ///
    /// [`ClientError::Token`] for one that no header can hold.
    pub fn over(self, channel: Channel) -> Result<Client, ClientError> {
        let bearer = Bearer::new(self.token.as_deref())?;
        let channel = InterceptedService::new(channel, bearer);
        let solver = Solver::new(channel).max_decoding_message_size(MAX_ANSWER);
        Ok(Client { solver, deadline: self.deadline, retry: self.retry, window: self.window })
    }

    fn endpoint(&self) -> Result<Endpoint, ClientError> {
        let wrong = |reason: String| ClientError::Address { uri: self.uri.clone(), reason };
        let endpoint = Endpoint::from_shared(self.uri.clone()).map_err(|e| wrong(e.to_string()))?;
        let endpoint = endpoint.connect_timeout(PATIENCE);
        match endpoint.uri().scheme_str() {
            Some("http") => Ok(endpoint),
            #[cfg(feature = "client-tls")]
            Some("https") => endpoint.tls_config(self.tls.config()).map_err(|e| wrong(e.to_string())),
            #[cfg(not(feature = "client-tls"))]
            Some("https") => Err(wrong("https needs the feature `client-tls`".to_owned())),
            _ => Err(wrong("write it as http://127.0.0.1:50051".to_owned())),
        }
    }
}

/// Puts the token into every call.
#[derive(Clone, Debug)]
pub(super) struct Bearer(Option<MetadataValue<Ascii>>);

impl Bearer {
    fn new(token: Option<&str>) -> Result<Bearer, ClientError> {
        let value = token.map(|token| format!("Bearer {token}").parse()).transpose();
        let mut value: Option<MetadataValue<Ascii>> = value.map_err(|_| ClientError::Token)?;
        if let Some(value) = &mut value {
            // Neither printed nor kept by the compression of headers.
            value.set_sensitive(true);
        }
        Ok(Bearer(value))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert("authorization", value.clone());
        }
        Ok(request)
    }
}

#[cfg(feature = "client-tls")]
mod tls {
    use tonic::transport::{Certificate, ClientTlsConfig, Identity};

    use super::ClientBuilder;

    /// Whom to believe, and who we are.
    #[derive(Default)]
    pub(super) struct Trust {
        authority: Option<Certificate>,
        identity: Option<Identity>,
    }

    impl Trust {
        pub(super) fn config(&self) -> ClientTlsConfig {
            let config = match &self.authority {
                Some(authority) => ClientTlsConfig::new().ca_certificate(authority.clone()),
                None => ClientTlsConfig::new().with_native_roots(),
            };
            match &self.identity {
                Some(identity) => config.identity(identity.clone()),
                None => config,
            }
        }
    }

    impl ClientBuilder {
        /// Believes servers with certificates of this authority (PEM), instead of those the machine believes.
        pub fn ca_certificate(mut self, pem: impl AsRef<[u8]>) -> ClientBuilder {
            self.tls.authority = Some(Certificate::from_pem(pem));
            self
        }

        /// Shows this certificate, proven by its private key (both PEM), to servers that ask for one.
        pub fn identity(mut self, certificate: impl AsRef<[u8]>, key: impl AsRef<[u8]>) -> ClientBuilder {
            self.tls.identity = Some(Identity::from_pem(certificate, key));
            self
        }
    }
}
