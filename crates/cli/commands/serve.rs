//! `serve`: serves the contract over gRPC.

use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ::tables::Catalogue;
use clap::Args;
use oracle::Oracle;
use proto::v1::{Endgame, EndgameValueRequest, EvaluateRequest, evaluate_request::Query};
use server::Config;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::args::{Global, SearchArgs, TableArgs};
use crate::backend::Remote;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Making;
use crate::render;

/// Serve the contract over gRPC, making missing tables first (the default).
///
/// Prints where it listens, then `ready` once the tables are verified and it answers. Ctrl-C and SIGTERM let
/// running calls end, then stop it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross serve
  doublecross serve --listen 0.0.0.0:50051 --tables /srv/doublecross/tables
  doublecross serve --listen 127.0.0.1:0               a free port, which is printed")]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 is any free port
    #[arg(long, value_name = "ADDR:PORT", default_value_t = DEFAULT_LISTEN)]
    listen: SocketAddr,

    /// Do not make tables that are missing: what they would answer is searched
    #[arg(long)]
    no_generate: bool,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    tables: TableArgs,
}

const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 50051);

impl Default for ServeArgs {
    fn default() -> ServeArgs {
        ServeArgs {
            listen: DEFAULT_LISTEN,
            no_generate: false,
            search: SearchArgs::default(),
            tables: TableArgs::default(),
        }
    }
}

pub(crate) async fn run(args: ServeArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let started = Instant::now();
    let listener = TcpListener::bind(args.listen).await.map_err(|e| busy(args.listen, &e))?;
    let bound = listener.local_addr().map_err(|e| busy(args.listen, &e))?;
    tell(&format!("listening on {bound}"));

    let (loaded, mut loading) = watch::channel(false);
    let (dir, cancel, make) = (global.tables.clone(), interrupt.flag(), !args.no_generate);
    let (config, tables) = (args.search.config(), args.tables.options());
    let load = move || {
        let oracle = load(&dir, make, &cancel, config, tables);
        loaded.send_replace(true);
        oracle
    };
    let serving = server::serve(listener, load, Config::default(), interrupt.raised());
    let mut ready = loading.clone();
    let announcing = async {
        let url = format!("http://{}", reachable(bound));
        // It never is when the load panicked, and then serving fails.
        if ready.wait_for(|&loaded| loaded).await.is_ok() && answers(&url, &interrupt).await {
            welcome(&url, started.elapsed());
        }
        std::future::pending().await
    };
    let served = tokio::select! {
        served = serving => served,
        () = announcing => Ok(()),
    };
    // A maker of tables that was stopped tidies up first. It drops the channel when it panicked.
    let _ = loading.wait_for(|&loaded| loaded).await;
    served.map_err(|e| Failure::no(e.to_string()))?;
    tell("stopped");
    Ok(())
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

/// Waits until the server answers the call we tell people to try; `false` when it never will.
async fn answers(url: &str, interrupt: &Interrupt) -> bool {
    let Ok(remote) = Remote::connect(url, interrupt.clone()).await else { return false };
    for _ in 0..100 {
        let endgame = Some(Endgame { chains: vec![9, 5, 2], loops: Vec::new() });
        let query = Some(Query::EndgameValue(EndgameValueRequest { endgame }));
        if remote.ask(vec![EvaluateRequest { id: String::new(), query }]).await.is_ok() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

fn welcome(url: &str, elapsed: Duration) {
    // What started us is what starts the call: cargo says so to what it runs.
    let program = if std::env::var_os("CARGO").is_some() { "cargo run --release --" } else { "doublecross" };
    let took = render::time(elapsed);
    tell(&format!("ready after {took}; try\n\n  {program} endgame --chains 9,5,2 --endpoint {url}\n"));
}

/// Says something on standard output. A server goes on when nobody listens.
fn tell(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
