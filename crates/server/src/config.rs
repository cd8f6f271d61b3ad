//! What can be set.

use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use http::HeaderValue;

use crate::budgets::Budgets;
use crate::tls::TlsFiles;

/// What can be set about a server. The defaults suit a machine of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// How much search a query gets.
    pub budgets: Budgets,
    /// How much the server takes on.
    pub limits: Limits,
    /// How long calls may run on once the server is to stop.
    pub drain: Duration,
    /// The files of TLS; without, nothing is encrypted.
    pub tls: Option<TlsFiles>,
    /// A file of bearer tokens, one a line; without, everybody may call.
    pub tokens: Option<PathBuf>,
    /// The origins whose pages may call by gRPC-Web.
    pub origins: Vec<HeaderValue>,
    /// Files and folders that are looked at every two seconds: when one has changed, tables, certificates and
    /// tokens are loaded anew.
    pub watched: Vec<PathBuf>,
}

impl Default for Config {
    /// Five seconds to drain; no TLS, no tokens, no origin, nothing watched.
    fn default() -> Config {
        Config {
            budgets: Budgets::default(),
            limits: Limits::default(),
            drain: Duration::from_secs(5),
            tls: None,
            tokens: None,
            origins: Vec::new(),
            watched: Vec::new(),
        }
    }
}

/// How much a server takes on. Past a limit it refuses, at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many searches run at once; the others wait in line.
    pub searches: usize,
    /// How many may wait.
    pub waiting: usize,
    /// How many may wait of one client: of one token, or one address.
    pub waiting_of_one: usize,
    /// How many calls may be under way, a stream being one.
    pub calls: usize,
    /// How many connections may be open.
    pub connections: usize,
    /// How many requests a stream reads ahead of its answers.
    pub window: usize,
    /// The largest message read, in bytes.
    pub max_message: usize,
    /// The deadline of a unary call that names none.
    pub longest_call: Duration,
    /// How long until a new connection says something.
    pub greeting: Duration,
    /// How long a connection, or a stream with nothing to answer, may say nothing after that.
    pub idle: Duration,
    /// Bytes for answers that are remembered.
    pub cache: u64,
}

impl Default for Limits {
    /// As many searches as there are cores and 64 in line for each, half of them one client's; 4,096 calls and
    /// connections; 256 requests ahead; 4 MiB; two minutes a call; ten seconds to say something, then five minutes; 64 MiB of
    /// answers.
    fn default() -> Limits {
        let cores = available_parallelism().map_or(1, usize::from);
        Limits {
            searches: cores,
            waiting: 64 * cores,
            waiting_of_one: 32 * cores,
            calls: 4_096,
            connections: 4_096,
            window: 256,
            max_message: 4 << 20,
            longest_call: Duration::from_secs(120),
            greeting: Duration::from_secs(10),
            idle: Duration::from_secs(300),
            cache: 64 << 20,
        }
    }
}

impl Limits {
    /// How many requests of one stream search or wait at once: enough to keep every place busy, and few enough to leave
    /// the line to others.
    pub(crate) const fn abreast(&self) -> usize {
        2 * self.searches
    }
}
