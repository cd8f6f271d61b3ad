//! A server in this process, and one connection to it.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::tables::Catalogue;
use oracle::Oracle;
use proto::v1::evaluate_request::Query;
use proto::v1::solver_client::SolverClient;
use proto::v1::solver_server::SolverServer;
use proto::v1::{EndgameValueRequest, EvaluateBatchRequest, EvaluateRequest, EvaluateResponse};
use server::Signals;
use tokio::net::TcpListener;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Server};

use super::echo::Echo;
use crate::failure::Failure;

/// A server to measure.
pub(super) struct Subject {
    client: SolverClient<Channel>,
    server: tokio::task::JoinHandle<()>,
}

impl Subject {
    /// The real one.
    pub(super) async fn real(tables: &Path) -> Result<Subject, Failure> {
        let catalogue = Catalogue::open(tables);
        let (listener, port) = listen().await?;
        let signals = Signals { stop: std::future::pending(), reload: Arc::default(), ready: Arc::default() };
        let mut catalogue = Some(catalogue);
        let load = move || Oracle::new(catalogue.take().unwrap_or_default());
        let server = tokio::spawn(async move {
            if let Err(e) = server::serve(listener, load, server::Config::default(), signals).await {
                tracing::error!("{e}");
            }
        });
        Subject::connect(port, server).await
    }

    /// One that gives these answers, in turn.
    pub(super) async fn echo(answers: Vec<EvaluateResponse>) -> Result<Subject, Failure> {
        let (listener, port) = listen().await?;
        let echo = SolverServer::new(Echo { answers: answers.into() });
        let server = tokio::spawn(async move {
            // As the real one's: small answers are not held back to be sent together.
            let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
            if let Err(e) = Server::builder().add_service(echo).serve_with_incoming(incoming).await {
                tracing::error!("{e}");
            }
        });
        Subject::connect(port, server).await
    }

    async fn connect(port: u16, server: tokio::task::JoinHandle<()>) -> Result<Subject, Failure> {
        let client = SolverClient::connect(format!("http://{}:{port}", Ipv4Addr::LOCALHOST))
            .await
            .map_err(|e| Failure::no(format!("cannot reach the server under measurement ({e})")))?;
        Ok(Subject { client, server })
    }

    /// The answers to these requests, as soon as the server gives any.
    pub(super) async fn answers(
        &self,
        requests: &[EvaluateRequest],
    ) -> Result<Vec<EvaluateResponse>, Failure> {
        loop {
            let batch = EvaluateBatchRequest { requests: requests.to_vec() };
            match self.client.clone().evaluate_batch(batch).await {
                Ok(answers) => return Ok(answers.into_inner().responses),
                Err(status) if status.code() == tonic::Code::Unavailable && !self.server.is_finished() => {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                Err(status) => return Err(failed(&status)),
            }
        }
    }

    /// How long it takes to get so many answers over one stream.
    pub(super) async fn time(&self, requests: &[EvaluateRequest], items: u32) -> Result<Duration, Failure> {
        let round: Vec<EvaluateRequest> = requests.iter().cycle().take(items as usize).cloned().collect();
        let started = Instant::now();
        let call = self.client.clone().evaluate(tokio_stream::iter(round)).await;
        let mut answers = call.map_err(|status| failed(&status))?.into_inner();
        let mut received = 0;
        while let Some(answer) = answers.message().await.map_err(|status| failed(&status))? {
            std::hint::black_box(answer);
            received += 1;
        }
        let elapsed = started.elapsed();
        if received != items {
            return Err(Failure::no(format!("{received} answers to {items} requests")));
        }
        Ok(elapsed)
    }
}

impl Subject {
    /// How long so many unary calls take, some at a time over the one connection.
    pub(super) async fn time_unary(
        &self,
        requests: &[EvaluateRequest],
        items: u32,
    ) -> Result<Duration, Failure> {
        let values = requests.iter().filter_map(|request| match &request.query {
            Some(Query::EndgameValue(query)) => Some(query.clone()),
            _ => None,
        });
        let queries: Vec<EndgameValueRequest> = values.collect();
        let started = Instant::now();
        let callers = (0..AT_A_TIME).map(|n| {
            let (mut client, queries) = (self.client.clone(), queries.clone());
            tokio::spawn(async move {
                for query in queries.into_iter().cycle().skip(n as usize).take((items / AT_A_TIME) as usize) {
                    std::hint::black_box(client.endgame_value(query).await?);
                }
                Ok(())
            })
        });
        for caller in callers.collect::<Vec<_>>() {
            caller.await.map_err(Failure::fault)?.map_err(|status: tonic::Status| failed(&status))?;
        }
        Ok(started.elapsed())
    }
}

/// Unary calls under way at once.
pub(super) const AT_A_TIME: u32 = 32;

impl Drop for Subject {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn listen() -> Result<(TcpListener, u16), Failure> {
    let deaf = |e| Failure::no(format!("cannot listen on this machine ({e})"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(deaf)?;
    let port = listener.local_addr().map_err(deaf)?.port();
    Ok((listener, port))
}

fn failed(status: &tonic::Status) -> Failure {
    Failure::no(format!("the server under measurement failed: {}", status.message()))
}
