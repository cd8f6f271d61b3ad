//! `serve`: serves the contract over gRPC.

use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ::tables::Catalogue;
use clap::Args;
use listenfd::ListenFd;
use oracle::Oracle;
use server::{ServeError, Signals};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};

use crate::args::Global;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::logging;
use crate::progress::Making;
use crate::render;

mod settings;

use settings::Settings;

pub(crate) use settings::LogFormat;

/// Serve the contract over gRPC, making missing tables first (the default).
///
/// Prints where it listens, then `ready` once the tables are verified and it answers. Ctrl-C and SIGTERM let
/// running calls end, then stop it. On SIGHUP, and when they change, tables, certificates and tokens are loaded anew while
/// calls run on. The same port answers gRPC, gRPC-Web and plain HTTP: /healthz, /readyz and /metrics.
///
/// Whatever can be set by a flag can be set in the environment, or in a file, too; a flag counts most, the file least.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross serve
  doublecross serve --listen 127.0.0.1:0               a free port, which is printed
  doublecross serve --listen 0.0.0.0:50051 --tls-certificate server.pem --tls-key server.key --tokens tokens
  doublecross serve --print-config > doublecross.toml
  doublecross serve --config doublecross.toml")]
pub(crate) struct ServeArgs {
    /// Read settings from this TOML file; the names are those of the flags
    #[arg(long, value_name = "FILE", env = "DOUBLECROSS_CONFIG")]
    config: Option<PathBuf>,

    /// Print the settings, as such a file, and stop
    #[arg(long)]
    print_config: bool,

    #[command(flatten)]
    settings: Settings,
}

pub(crate) async fn run(args: ServeArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let started = Instant::now();
    let settings = args.settings.resolve(args.config.as_deref(), global)?;
    if args.print_config {
        return render::text(&settings.to_toml()?);
    }
    let _guard = logging::start(settings.log(), Some(settings.log_format()))?;
    let config = settings.config()?;
    let listener = listen(&settings).await?;
    let bound = listener.local_addr().map_err(|e| Failure::no(e.to_string()))?;
    tell(&format!("listening on {bound}"));

    let (loaded, mut loading) = watch::channel(false);
    let (dir, cancel) = (settings.tables(), interrupt.flag());
    let (search, tables) = (settings.search(), settings.options());
    let mut make = settings.makes_tables();
    let load = move || {
        // Missing tables are made at the start only.
        let oracle = load(&dir, std::mem::take(&mut make), &cancel, search, tables);
        loaded.send_replace(true);
        oracle
    };
    let (reload, ready) = (hangups()?, Arc::new(Notify::new()));
    let signals = Signals { stop: interrupt.raised(), reload, ready: Arc::clone(&ready) };
    let serving = server::serve(listener, load, config, signals);
    let announcing = async {
        ready.notified().await;
        welcome(&settings, bound, started.elapsed());
        std::future::pending().await
    };
    let served = tokio::select! {
        served = serving => served,
        () = announcing => Ok(()),
    };
    if !matches!(served, Err(ServeError::Tls(_) | ServeError::Tokens(_))) {
        // A maker of tables that was stopped tidies up first. It drops the channel when it panicked.
        let _ = loading.wait_for(|&loaded| loaded).await;
    }
    served.map_err(|e| Failure::no(e.to_string()))?;
    tell("stopped");
    Ok(())
}

/// The socket we were started with, if a service manager opened one; else one of our own.
async fn listen(settings: &Settings) -> Result<TcpListener, Failure> {
    let given = ListenFd::from_env().take_tcp_listener(0);
    let given = given.map_err(|e| Failure::no(format!("the socket passed in cannot be used ({e})")))?;
    if let Some(listener) = given {
        let unusable = |e| Failure::no(format!("the socket passed in cannot be used ({e})"));
        settings.guard(listener.local_addr().map_err(unusable)?)?;
        listener.set_nonblocking(true).map_err(unusable)?;
        return TcpListener::from_std(listener).map_err(unusable);
    }
    let address = settings.listen()?;
    TcpListener::bind(address).await.map_err(|e| busy(address, &e))
}

/// Notified whenever somebody sends SIGHUP.
fn hangups() -> Result<Arc<Notify>, Failure> {
    let notify = Arc::new(Notify::new());
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let deaf = |e| Failure::no(format!("cannot listen for SIGHUP ({e})"));
        let mut hangups = signal(SignalKind::hangup()).map_err(deaf)?;
        let tell = Arc::clone(&notify);
        tokio::spawn(async move {
            while hangups.recv().await.is_some() {
                tell.notify_one();
            }
        });
    }
    Ok(notify)
}

fn busy(address: SocketAddr, e: &io::Error) -> Failure {
    let remedy = match e.kind() {
        io::ErrorKind::AddrInUse => {
            "another program listens there; stop it, or name another port with --listen"
        }
        io::ErrorKind::PermissionDenied => "ports below 1024 may be reserved; name another with --listen",
        _ => "name another address with --listen",
    };
    Failure::no(format!("cannot listen on {address} ({e}): {remedy}"))
}

/// Makes the default tables that are missing, and opens all there are.
fn load(
    dir: &Path,
    make: bool,
    cancel: &AtomicBool,
    config: oracle::Config,
    tables: ::tables::Options,
) -> Oracle {
    let missing = super::generate::missing(dir);
    if make && !missing.is_empty() {
        tell(&format!("making {} of the default tables in {}", missing.len(), dir.display()));
        let making = Making::of(&missing);
        let progress = |event| {
            making.note(event);
            if let ::generate::Event::Published { id, elapsed, .. } = event {
                making.aside(|| tracing::info!("made {id} in {}", render::time(elapsed)));
            }
        };
        let options = ::generate::Options::default();
        match ::generate::make(&missing, dir, options, &progress, cancel) {
            Ok(_) => {}
            Err(::generate::Error::Cancelled) => return Oracle::new(Catalogue::empty()),
            Err(e) => making.aside(|| tracing::warn!("{e}")),
        }
    }
    Oracle::with_config(Catalogue::with_options(dir, tables), config)
}

/// An address at which a client on this machine reaches a server bound here.
fn reachable(bound: SocketAddr) -> SocketAddr {
    let ip = match bound.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, bound.port())
}

fn welcome(settings: &Settings, bound: SocketAddr, elapsed: Duration) {
    let took = render::time(elapsed);
    if !settings.is_open() {
        tell(&format!("ready after {took}"));
        return;
    }
    // What started us is what starts the call: cargo says so to what it runs.
    let program = if std::env::var_os("CARGO").is_some() { "cargo run --release --" } else { "doublecross" };
    let url = format!("http://{}", reachable(bound));
    tell(&format!("ready after {took}; try\n\n  {program} endgame --chains 9,5,2 --endpoint {url}\n"));
}

/// Says something on standard output. A server goes on when nobody listens.
fn tell(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
