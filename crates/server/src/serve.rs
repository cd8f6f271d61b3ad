//! The life of a server: it listens at once, verifies its tables aside, serves, loads them anew when asked, drains, stops.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use oracle::Oracle;
use proto::v1::solver_server::SolverServer;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tonic::server::NamedService;
use tonic::transport::server::Server;
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, health_reporter};
use tonic_web::GrpcWebLayer;

use crate::config::Config;
use crate::door::Door;
use crate::leash::LeashLayer;
use crate::metrics::Metrics;
use crate::room::Room;
use crate::service::{Desk, Service};
use crate::tls::{Tls, TlsFilesError};
use crate::tokens::{TokenLayer, Tokens, TokensError};
use crate::trace::TraceLayer;
use crate::web::{WebLayer, cors};

/// The names whose health is reported: the whole server, and the service.
const HEALTH_OF: [&str; 2] = ["", <SolverServer<Service> as NamedService>::NAME];

/// How long connections get to close once every call has been ended.
const CLOSING: Duration = Duration::from_millis(500);

/// How often watched files are looked at. A change counts once it has lasted until the next look, so that files half
/// written are let be.
const LOOK: Duration = Duration::from_secs(2);

/// The most bytes of headers of one call.
const MAX_HEADERS: u32 = 16 << 10;

/// The most calls under way on one connection.
const MAX_STREAMS: u32 = 1_024;

/// Why a server stopped, or did not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The tables could not be loaded.
    #[error("loading the tables failed: {0}")]
    Load(#[source] tokio::task::JoinError),
    /// The files of TLS cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsFilesError),
    /// The tokens cannot be used.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// The descriptors of the contract cannot be read.
    #[error("the descriptors of the contract cannot be read: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// A metric cannot be made.
    #[error("the metrics cannot be made: {0}")]
    Metrics(#[from] prometheus::Error),
    /// The transport failed.
    #[error("the connection layer failed: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// What a server is told while it runs.
pub struct Signals<S> {
    /// Ready when it should stop.
    pub stop: S,
    /// Notified when it should load tables, certificates and tokens anew.
    pub reload: Arc<Notify>,
    /// Notified by the server, once it serves.
    pub ready: Arc<Notify>,
}

/// Serves on `listener` until told to stop, then drains and returns.
///
/// `load` opens and verifies the tables on a thread of its own; until it has returned, health is
/// `NOT_SERVING` and every query is refused as `UNAVAILABLE`. What is wrong with a table is logged as a
/// warning, once.
///
/// Told to reload, or when a watched file has changed, it calls `load` again, aside, and swaps the tables at once. Calls that
/// are under way keep the ones they began with. A set with a table that is damaged is not taken. Certificates and tokens are
/// read again, too; what cannot be used is logged as an error, and what was in use stays.
///
/// On stop the listener closes and health is `NOT_SERVING` again; calls run on and idle streams end. After
/// [`Config::drain`] whatever still runs is ended as `UNAVAILABLE`.
///
/// # Errors
/// When TLS or tokens cannot be used, `load` panics or the transport fails.
pub async fn serve(
    listener: TcpListener,
    load: impl FnMut() -> Oracle + Send + 'static,
    config: Config,
    signals: Signals<impl Future<Output = ()>>,
) -> Result<(), ServeError> {
    let (draining, stop) = (CancellationToken::new(), CancellationToken::new());
    let metrics = Metrics::new()?;
    let tls = config.tls.clone().map(Tls::load).transpose()?.map(Arc::new);
    let tokens = config.tokens.clone().map(Tokens::load).transpose()?.map(Arc::new);
    let limits = config.limits;
    let desk = Desk::new(&limits, Arc::clone(&metrics), draining.clone());
    let service = Service::new(desk.clone(), limits, config.budgets);
    let (health, health_service) = health_reporter();
    report(&health, ServingStatus::NotServing).await;

    let descriptors = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(proto::FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let door = Door {
        tls: tls.clone(),
        connections: limits.connections,
        greeting: limits.greeting,
        idle: limits.idle,
        metrics: Arc::clone(&metrics),
    };
    let leash = LeashLayer::new(stop.clone(), limits.longest_call, limits.calls, metrics);
    // The first layer is the outermost.
    let server = Server::builder()
        .accept_http1(true)
        .http2_max_header_list_size(MAX_HEADERS)
        .max_concurrent_streams(MAX_STREAMS)
        .layer(WebLayer { desk: desk.clone(), tokens: tokens.clone() })
        .layer(cors(&config.origins))
        .layer(GrpcWebLayer::new())
        .layer(TraceLayer::new())
        .layer(TokenLayer(tokens.clone()))
        .layer(leash)
        .add_service(health_service)
        .add_service(descriptors().build_v1()?)
        .add_service(descriptors().build_v1alpha()?)
        .add_service(SolverServer::new(service).max_decoding_message_size(limits.max_message))
        .serve_with_incoming_shutdown(
            door.open(listener, draining.clone()),
            draining.clone().cancelled_owned(),
        );
    let life = async {
        let Signals { stop, reload, ready } = signals;
        tokio::pin!(stop);
        let mut keeper = Keeper { desk, config: &config, tls, tokens, load: Some(load) };
        tokio::select! {
            opened = keeper.open() => opened?,
            () = &mut stop => return Ok(()),
        }
        report(&health, ServingStatus::Serving).await;
        tracing::info!("ready");
        ready.notify_one();
        tokio::select! {
            kept = keeper.keep(&reload) => kept,
            () = &mut stop => Ok(()),
        }
    };

    tokio::pin!(server);
    tokio::select! {
        // It ends by itself only when it fails.
        ended = &mut server => return Ok(ended?),
        lived = life => lived?,
    }
    tracing::info!("draining");
    retire(health).await;
    draining.cancel();
    if let Ok(ended) = tokio::time::timeout(config.drain, &mut server).await {
        return Ok(ended?);
    }
    tracing::warn!("calls still running after {:?} are ended", config.drain);
    stop.cancel();
    // A connection that does not close even now is left to the runtime.
    tokio::time::timeout(CLOSING, server).await.unwrap_or(Ok(()))?;
    Ok(())
}

/// Who loads what a server needs, and loads it anew.
struct Keeper<'a, L> {
    desk: Desk,
    config: &'a Config,
    tls: Option<Arc<Tls>>,
    tokens: Option<Arc<Tokens>>,
    /// `None` only while it runs.
    load: Option<L>,
}

impl<L: FnMut() -> Oracle + Send + 'static> Keeper<'_, L> {
    /// Loads the tables for the first time. The sound ones are used, whatever the others are.
    async fn open(&mut self) -> Result<(), ServeError> {
        let Some(oracle) = self.oracle().await? else { return Ok(()) };
        for problem in oracle.tables().problems() {
            tracing::warn!("{problem}");
        }
        self.move_in(oracle);
        Ok(())
    }

    /// Loads everything anew whenever it should be.
    async fn keep(&mut self, reload: &Notify) -> Result<(), ServeError> {
        let mut loaded = stamps(&self.config.watched).await;
        let mut seen = loaded.clone();
        let mut looks = tokio::time::interval(LOOK);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = reload.notified() => {}
                _ = looks.tick(), if !self.config.watched.is_empty() => {
                    let now = stamps(&self.config.watched).await;
                    let settled = now == seen && now != loaded;
                    seen = now;
                    if !settled {
                        continue;
                    }
                }
            }
            loaded = stamps(&self.config.watched).await;
            seen.clone_from(&loaded);
            self.reload().await?;
        }
    }

    async fn reload(&mut self) -> Result<(), ServeError> {
        if let Some(tls) = &self.tls {
            match tls.reload() {
                Ok(()) => tracing::info!("the certificates are read again"),
                Err(e) => tracing::error!("the certificates in use stay: {e}"),
            }
        }
        if let Some(tokens) = &self.tokens {
            match tokens.reload() {
                Ok(()) => tracing::info!("the tokens are read again"),
                Err(e) => tracing::error!("the tokens in use stay: {e}"),
            }
        }
        let Some(oracle) = self.oracle().await? else { return Ok(()) };
        let mut damaged = oracle.tables().problems().iter().filter(|p| p.reason != tables::Reason::Missing);
        if let Some(problem) = damaged.next() {
            self.desk.metrics.bad_loads.inc();
            tracing::error!("the tables in use stay: {problem}");
            return Ok(());
        }
        self.move_in(oracle);
        Ok(())
    }

    /// Runs `load` on a thread of its own.
    async fn oracle(&mut self) -> Result<Option<Oracle>, ServeError> {
        let Some(mut load) = self.load.take() else { return Ok(None) };
        let loading = tokio::task::spawn_blocking(move || (load(), load));
        let (oracle, load) = loading.await.map_err(ServeError::Load)?;
        self.load = Some(load);
        Ok(Some(oracle))
    }

    fn move_in(&self, oracle: Oracle) {
        let Desk { line, metrics, .. } = &self.desk;
        let set = oracle.tables().set_id();
        let Config { budgets, limits, .. } = self.config;
        let (line, metrics) = (Arc::clone(line), Arc::clone(metrics));
        self.desk.open(Room::new(oracle.into(), *budgets, line, limits.cache, metrics));
        tracing::info!(set, "the tables are loaded");
    }
}

/// When each of these files was changed last and how long it is, if it is there.
async fn stamps(paths: &[PathBuf]) -> Vec<Option<(SystemTime, u64)>> {
    let mut stamps = Vec::new();
    for path in paths {
        let metadata = tokio::fs::metadata(path).await.ok();
        stamps.push(metadata.and_then(|m| Some((m.modified().ok()?, m.len()))));
    }
    stamps
}

async fn report(health: &HealthReporter, status: ServingStatus) {
    for name in HEALTH_OF {
        health.set_service_status(name, status).await;
    }
}

/// Says `NOT_SERVING` a last time and ends the streams that watch.
async fn retire(mut health: HealthReporter) {
    report(&health, ServingStatus::NotServing).await;
    for name in HEALTH_OF {
        health.clear_service_status(name).await;
    }
}
