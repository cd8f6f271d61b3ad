//! The life of a server: it listens at once, verifies its tables aside, serves, drains, stops.

use std::future::Future;
use std::time::Duration;

use oracle::Oracle;
use proto::v1::solver_server::SolverServer;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::server::NamedService;
use tonic::transport::server::{Server, TcpIncoming};
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, health_reporter};

use crate::config::Config;
use crate::leash::LeashLayer;
use crate::room::Room;
use crate::searches::Searches;
use crate::service::Service;

/// The names whose health is reported: the whole server, and the service.
const HEALTH_OF: [&str; 2] = ["", <SolverServer<Service> as NamedService>::NAME];

/// How long connections get to close once every call has been ended.
const CLOSING: Duration = Duration::from_millis(500);

/// Why a server stopped, or did not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The tables could not be loaded.
    #[error("loading the tables failed: {0}")]
    Load(#[source] tokio::task::JoinError),
    /// The descriptors of the contract cannot be read.
    #[error("the descriptors of the contract cannot be read: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The transport failed.
    #[error("the connection layer failed: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// Serves on `listener` until `shutdown` is ready, then drains and returns.
///
/// `load` opens and verifies the tables on a thread of its own; until it has returned, health is
/// `NOT_SERVING` and every query is refused as `UNAVAILABLE`. What is wrong with a table is logged as a
/// warning, once.
///
/// On shutdown the listener closes and health is `NOT_SERVING` again; calls run on and idle streams end. After
/// [`Config::drain`] whatever still runs is ended as `UNAVAILABLE`.
///
/// # Errors
/// When `load` panics or the transport fails.
pub async fn serve(
    listener: TcpListener,
    load: impl FnOnce() -> Oracle + Send + 'static,
    config: Config,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let (draining, stop) = (CancellationToken::new(), CancellationToken::new());
    let service = Service::new(config.window, draining.clone());
    let (health, health_service) = health_reporter();
    report(&health, ServingStatus::NotServing).await;

    let descriptors = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(proto::FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let server = Server::builder()
        .layer(LeashLayer { stop: stop.clone() })
        .add_service(health_service)
        .add_service(descriptors().build_v1()?)
        .add_service(descriptors().build_v1alpha()?)
        .add_service(SolverServer::new(service.clone()).max_decoding_message_size(config.max_message))
        .serve_with_incoming_shutdown(
            TcpIncoming::from(listener).with_nodelay(Some(true)),
            draining.clone().cancelled_owned(),
        );
    let open = async {
        let oracle = tokio::task::spawn_blocking(load).await.map_err(ServeError::Load)?;
        for problem in oracle.tables().problems() {
            tracing::warn!("{problem}");
        }
        service.open(Room::new(oracle.into(), config.budgets, Searches::new(config.searches)));
        report(&health, ServingStatus::Serving).await;
        tracing::info!("ready");
        Ok::<(), ServeError>(())
    };
    let life = async {
        tokio::pin!(shutdown);
        tokio::select! {
            opened = open => {
                opened?;
                shutdown.await;
            }
            () = &mut shutdown => {}
        }
        Ok::<(), ServeError>(())
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
