//! What can be set about a server: by flag, by environment, or in a file; in this order.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use http::HeaderValue;
use oracle::Budget;
use serde::{Deserialize, Serialize};
use server::{Budgets, Config, Limits, TlsFiles};
use tables::{MANIFEST, Options};

use crate::args::{Global, SearchArgs, TableAccess};
use crate::duration::Time;
use crate::failure::Failure;

/// Everything that can be set, nothing of which need be. The names in a file are those of the flags.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Settings {
    /// Where to listen; port 0 is any free port [default: 127.0.0.1:50051]
    #[arg(long, value_name = "ADDR:PORT", env = "DOUBLECROSS_LISTEN")]
    listen: Option<SocketAddr>,

    /// Listen beyond this machine though nothing is encrypted, as behind a proxy that does it
    #[arg(long, env = "DOUBLECROSS_PLAINTEXT")]
    plaintext: bool,

    /// The folder of the tables; on the command line it is --tables
    #[arg(skip)]
    tables: Option<PathBuf>,

    /// Do not make tables that are missing: what they would answer is searched
    #[arg(long, env = "DOUBLECROSS_NO_GENERATE")]
    no_generate: bool,

    /// How to get at the files of tables [default: file]
    #[arg(long, value_enum, env = "DOUBLECROSS_TABLE_ACCESS")]
    table_access: Option<TableAccess>,

    /// Memory for decoded blocks of all tables together, in MiB; small tables are served first [default: 1024]
    #[arg(long, value_name = "MIB", env = "DOUBLECROSS_TABLE_CACHE")]
    table_cache: Option<u32>,

    /// Threads of each search; with 1 it visits the same nodes every time [default: one per core]
    #[arg(long, value_name = "N", env = "DOUBLECROSS_THREADS", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Memory for the table of each search, in MiB, rounded down to a power of two [default: 1024]
    #[arg(long, value_name = "MIB", env = "DOUBLECROSS_MEMORY", value_parser = clap::value_parser!(u32).range(1..))]
    memory: Option<u32>,

    /// How many searches run at once [default: one per core]
    #[arg(long, value_name = "N", env = "DOUBLECROSS_SEARCHES", value_parser = clap::value_parser!(u32).range(1..))]
    searches: Option<u32>,

    /// How many searches wait in line; past that they are refused [default: 64 for each that runs]
    #[arg(long, value_name = "N", env = "DOUBLECROSS_WAITING")]
    waiting: Option<u32>,

    /// How many of them may be one client's: of one token, or one address [default: half of them]
    #[arg(long, value_name = "N", env = "DOUBLECROSS_WAITING_OF_ONE")]
    waiting_of_one: Option<u32>,

    /// How much time a query gets to search that names no budget [default: 10s]
    #[arg(long, value_name = "TIME", env = "DOUBLECROSS_DEFAULT_TIME")]
    default_time: Option<Time>,

    /// The most time a query gets to search [default: 1m]
    #[arg(long, value_name = "TIME", env = "DOUBLECROSS_MAX_TIME")]
    max_time: Option<Time>,

    /// The most nodes a query gets to search [default: any number]
    #[arg(long, value_name = "N", env = "DOUBLECROSS_MAX_NODES")]
    max_nodes: Option<u64>,

    /// Memory for answers that are remembered, in MiB [default: 64]
    #[arg(long, value_name = "MIB", env = "DOUBLECROSS_ANSWER_CACHE")]
    answer_cache: Option<u32>,

    /// How many calls may be under way, a stream being one [default: 4096]
    #[arg(long, value_name = "N", env = "DOUBLECROSS_CALLS", value_parser = clap::value_parser!(u32).range(1..))]
    calls: Option<u32>,

    /// How many connections may be open [default: 4096]
    #[arg(long, value_name = "N", env = "DOUBLECROSS_CONNECTIONS", value_parser = clap::value_parser!(u32).range(1..))]
    connections: Option<u32>,

    /// How many requests a stream reads ahead of its answers [default: 256]
    #[arg(long, value_name = "N", env = "DOUBLECROSS_STREAM_AHEAD", value_parser = clap::value_parser!(u32).range(1..))]
    stream_ahead: Option<u32>,

    /// The largest message read, in MiB [default: 4]
    #[arg(long, value_name = "MIB", env = "DOUBLECROSS_MAX_MESSAGE", value_parser = clap::value_parser!(u32).range(1..=1024))]
    max_message: Option<u32>,

    /// The deadline of a unary call that names none [default: 2m]
    #[arg(long, value_name = "TIME", env = "DOUBLECROSS_LONGEST_CALL")]
    longest_call: Option<Time>,

    /// How long until a new connection says something [default: 10s]
    #[arg(long, value_name = "TIME", env = "DOUBLECROSS_GREETING")]
    greeting: Option<Time>,

    /// How long a connection, or a stream with nothing to answer, may say nothing [default: 5m]
    #[arg(long, value_name = "TIME", env = "DOUBLECROSS_IDLE")]
    idle: Option<Time>,

    /// How long calls may run on once the server is to stop [default: 5s]
    #[arg(long, value_name = "TIME", env = "DOUBLECROSS_DRAIN")]
    drain: Option<Time>,

    /// Encrypt: the certificates of the server, its own first, as PEM
    #[arg(long, value_name = "FILE", env = "DOUBLECROSS_TLS_CERTIFICATE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,

    /// Its private key, as PEM
    #[arg(long, value_name = "FILE", env = "DOUBLECROSS_TLS_KEY", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,

    /// Let in only clients with a certificate signed by one of these, as PEM
    #[arg(long, value_name = "FILE", env = "DOUBLECROSS_TLS_CLIENT_CA")]
    tls_client_ca: Option<PathBuf>,

    /// Let in only clients with one of these bearer tokens, one a line
    #[arg(long, value_name = "FILE", env = "DOUBLECROSS_TOKENS")]
    tokens: Option<PathBuf>,

    /// Let pages of this origin call by gRPC-Web, e.g. `https://example.org`; `*` is every origin
    #[arg(
        long = "cors-origin",
        value_name = "ORIGIN",
        env = "DOUBLECROSS_CORS_ORIGIN",
        value_delimiter = ','
    )]
    cors_origin: Vec<String>,

    /// How the log is written [default: text]
    #[arg(long, value_enum, env = "DOUBLECROSS_LOG_FORMAT")]
    log_format: Option<LogFormat>,

    /// What to log; on the command line it is --log
    #[arg(skip)]
    log: Option<String>,
}

/// How a log is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    /// For people
    #[default]
    Text,
    /// For programs: an object a line
    Json,
}

/// Where a server listens that is not told.
const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 50051);

const MIB: u64 = 1 << 20;

impl Settings {
    /// The settings of a file.
    fn read(path: &Path) -> Result<Settings, Failure> {
        let bad = |e: &dyn std::fmt::Display| Failure::misuse(format!("--config {}: {e}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|e| bad(&e))?;
        toml::from_str(&text).map_err(|e| bad(&e))
    }

    /// What is said here, then what is in the file, then the defaults: everything is set, but for what is off.
    pub(crate) fn resolve(self, file: Option<&Path>, global: &Global) -> Result<Settings, Failure> {
        let file = file.map(Settings::read).transpose()?.unwrap_or_default();
        let Config { budgets, limits, drain, .. } = Config::default();
        let searches = self.searches.or(file.searches).unwrap_or(count(limits.searches));
        let waiting = self.waiting.or(file.waiting).unwrap_or(searches.saturating_mul(64));
        let time = |time: Duration| Some(Time(time));
        let mib = |bytes: u64| Some(u32::try_from(bytes / MIB).unwrap_or(u32::MAX));
        let search = SearchArgs::default().config();
        Ok(Settings {
            listen: self.listen.or(file.listen).or(Some(LISTEN)),
            plaintext: self.plaintext || file.plaintext,
            tables: Some(
                global.tables_given().map_or_else(
                    || file.tables.unwrap_or_else(|| global.tables().to_owned()),
                    Path::to_owned,
                ),
            ),
            no_generate: self.no_generate || file.no_generate,
            table_access: self.table_access.or(file.table_access).or(Some(TableAccess::File)),
            table_cache: self.table_cache.or(file.table_cache).or(mib(Options::default().cache as u64)),
            threads: self.threads.or(file.threads).or(u16::try_from(search.threads).ok()),
            memory: self.memory.or(file.memory).or(mib(search.table_bytes as u64)),
            searches: Some(searches),
            waiting: Some(waiting),
            waiting_of_one: self.waiting_of_one.or(file.waiting_of_one).or(Some(waiting.div_ceil(2))),
            default_time: self.default_time.or(file.default_time).or(budgets.default.time.map(Time)),
            max_time: self.max_time.or(file.max_time).or(budgets.max.time.map(Time)),
            max_nodes: self.max_nodes.or(file.max_nodes),
            answer_cache: self.answer_cache.or(file.answer_cache).or(mib(limits.cache)),
            calls: self.calls.or(file.calls).or(Some(count(limits.calls))),
            connections: self.connections.or(file.connections).or(Some(count(limits.connections))),
            stream_ahead: self.stream_ahead.or(file.stream_ahead).or(Some(count(limits.window))),
            max_message: self.max_message.or(file.max_message).or(mib(limits.max_message as u64)),
            longest_call: self.longest_call.or(file.longest_call).or(time(limits.longest_call)),
            greeting: self.greeting.or(file.greeting).or(time(limits.greeting)),
            idle: self.idle.or(file.idle).or(time(limits.idle)),
            drain: self.drain.or(file.drain).or(time(drain)),
            tls_certificate: self.tls_certificate.or(file.tls_certificate),
            tls_key: self.tls_key.or(file.tls_key),
            tls_client_ca: self.tls_client_ca.or(file.tls_client_ca),
            tokens: self.tokens.or(file.tokens),
            cors_origin: if self.cors_origin.is_empty() { file.cors_origin } else { self.cors_origin },
            log_format: self.log_format.or(file.log_format).or(Some(LogFormat::default())),
            log: global.log.clone().or(file.log),
        })
    }

    /// As a file that sets the same.
    pub(crate) fn to_toml(&self) -> Result<String, Failure> {
        toml::to_string(self).map_err(|e| Failure::no(e.to_string()))
    }

    /// Where to listen, if what is said there may be heard by others.
    pub(crate) fn listen(&self) -> Result<SocketAddr, Failure> {
        let address = self.listen.unwrap_or(LISTEN);
        self.guard(address)?;
        Ok(address)
    }

    /// Refuses to be reached from other machines unless it is encrypted, or that is meant.
    pub(crate) fn guard(&self, address: SocketAddr) -> Result<(), Failure> {
        if address.ip().is_loopback() || self.tls_certificate.is_some() || self.plaintext {
            return Ok(());
        }
        Err(Failure::misuse(format!(
            "{address} can be reached from other machines, and nothing is encrypted; name --tls-certificate and \
             --tls-key, or say --plaintext if something in front of the server encrypts"
        )))
    }

    pub(crate) const fn log_format(&self) -> LogFormat {
        match self.log_format {
            Some(format) => format,
            None => LogFormat::Text,
        }
    }

    pub(crate) fn log(&self) -> Option<&str> {
        self.log.as_deref()
    }

    pub(crate) fn tables(&self) -> PathBuf {
        self.tables.clone().unwrap_or_else(|| PathBuf::from(::tables::DEFAULT_DIR))
    }

    pub(crate) const fn makes_tables(&self) -> bool {
        !self.no_generate
    }

    /// How tables are opened.
    pub(crate) fn options(&self) -> Options {
        let default = Options::default();
        Options {
            access: self.table_access.map_or(default.access, Into::into),
            cache: self.table_cache.map_or(default.cache, |mib| (mib as usize).saturating_mul(MIB as usize)),
        }
    }

    /// How much of the machine a search may use.
    pub(crate) fn search(&self) -> oracle::Config {
        SearchArgs { threads: self.threads, memory: self.memory }.config()
    }

    /// Whether a client needs nothing but the address.
    pub(crate) const fn is_open(&self) -> bool {
        self.tls_certificate.is_none() && self.tokens.is_none()
    }

    /// The server's own.
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        let default = Config::default();
        let Budgets { default: granted, max } = default.budgets;
        let limits = default.limits;
        let time = |time: Option<Time>, default: Duration| time.map_or(default, |Time(time)| time);
        let size = |n: Option<u32>, default: usize| n.map_or(default, |n| n as usize);
        let bytes = |mib: Option<u32>, default: u64| mib.map_or(default, |mib| u64::from(mib) * MIB);
        let tls = match (&self.tls_certificate, &self.tls_key) {
            (Some(certificate), Some(key)) => Some(TlsFiles {
                certificate: certificate.clone(),
                key: key.clone(),
                client_ca: self.tls_client_ca.clone(),
            }),
            (None, None) if self.tls_client_ca.is_none() => None,
            _ => {
                return Err(Failure::misuse(
                    "tls-certificate and tls-key go together, and tls-client-ca with both of them",
                ));
            }
        };
        let origin = |origin: &String| {
            let plain = origin == "*" || origin.starts_with("http://") || origin.starts_with("https://");
            HeaderValue::from_str(origin).ok().filter(|_| plain && !origin.ends_with('/')).ok_or_else(|| {
                let rule = "is no origin; write it as https://example.org, without a path";
                Failure::rule("--cors-origin", format!("{origin:?} {rule}"))
            })
        };
        let tables = self.tables();
        let files = [&self.tls_certificate, &self.tls_key, &self.tls_client_ca, &self.tokens];
        let watched = [tables.join(MANIFEST), tables].into_iter().chain(files.into_iter().flatten().cloned());
        Ok(Config {
            budgets: Budgets {
                default: Budget { time: self.default_time.map(|Time(t)| t).or(granted.time), ..granted },
                max: Budget {
                    nodes: self.max_nodes.or(max.nodes),
                    time: self.max_time.map(|Time(t)| t).or(max.time),
                },
            },
            limits: Limits {
                searches: size(self.searches, limits.searches),
                waiting: size(self.waiting, limits.waiting),
                waiting_of_one: size(self.waiting_of_one, limits.waiting_of_one),
                calls: size(self.calls, limits.calls),
                connections: size(self.connections, limits.connections),
                window: size(self.stream_ahead, limits.window),
                max_message: self.max_message.map_or(limits.max_message, |mib| mib as usize * MIB as usize),
                longest_call: time(self.longest_call, limits.longest_call),
                greeting: time(self.greeting, limits.greeting),
                idle: time(self.idle, limits.idle),
                cache: bytes(self.answer_cache, limits.cache),
            },
            drain: time(self.drain, default.drain),
            tls,
            tokens: self.tokens.clone(),
            origins: self.cors_origin.iter().map(origin).collect::<Result<_, _>>()?,
            watched: watched.collect(),
        })
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `--print-config` prints is a file that sets the same; and its names are those of the flags.
    #[test]
    fn the_printed_settings_are_a_file_of_the_same() {
        #[derive(clap::Parser)]
        struct Cli {
            #[command(flatten)]
            global: Global,
            #[command(flatten)]
            settings: Settings,
        }
        let parse =
            |args: &[&str]| <Cli as clap::Parser>::try_parse_from(std::iter::once(&"x").chain(args)).unwrap();
        let Cli { global, settings } =
            parse(&["--drain", "1500ms", "--cors-origin", "https://example.org", "--waiting", "7"]);
        let printed = settings.resolve(None, &global).unwrap().to_toml().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.toml");
        std::fs::write(&path, &printed).unwrap();
        let Cli { global, settings } = parse(&[]);
        assert_eq!(settings.resolve(Some(&path), &global).unwrap().to_toml().unwrap(), printed);
        let flags: Vec<String> = <Cli as clap::CommandFactory>::command()
            .get_arguments()
            .filter_map(|arg| arg.get_long().map(str::to_owned))
            .collect();
        for line in printed.lines() {
            let name = line.split(" = ").next().unwrap();
            assert!(flags.iter().any(|flag| flag == name), "{name}");
        }
        // A flag counts more than the file.
        let Cli { global, settings } = parse(&["--waiting", "9"]);
        let config = settings.resolve(Some(&path), &global).unwrap().config().unwrap();
        assert_eq!((config.limits.waiting, config.drain), (9, Duration::from_millis(1_500)));
        std::fs::write(&path, "witing = 7\n").unwrap();
        let Cli { global, settings } = parse(&[]);
        assert!(settings.resolve(Some(&path), &global).is_err());
    }
}
