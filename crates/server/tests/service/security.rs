//! TLS, client certificates and tokens; and that they are read again.

use std::path::PathBuf;

use proto::v1::solver_client::SolverClient;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use server::{Config, TlsFiles};
use tempfile::TempDir;
use tonic::metadata::MetadataValue;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Identity};
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::support::*;

/// Who signs certificates.
type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A certificate and its key, as PEM.
fn signed(by: &Authority) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    (params.signed_by(&key, by).unwrap().pem(), key.serialize_pem())
}

fn write(dir: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

async fn connect(
    running: &Running,
    ca: &Authority,
    identity: Option<Identity>,
) -> Result<SolverClient<Channel>, tonic::transport::Error> {
    let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca.pem())).domain_name("localhost");
    let tls = identity.into_iter().fold(tls, ClientTlsConfig::identity);
    let endpoint = Channel::from_shared(format!("https://{}", running.address)).unwrap();
    Ok(SolverClient::new(endpoint.tls_config(tls)?.connect().await?))
}

async fn value(client: &mut SolverClient<Channel>) -> Result<i32, tonic::Status> {
    Ok(client.endgame_value(endgame_value(&[9, 5, 2], &[])).await?.into_inner().value)
}

#[tokio::test]
async fn tls_and_certificates_read_again() {
    let (dir, ca) = (tempfile::tempdir().unwrap(), authority());
    let (certificate, key) = signed(&ca);
    let files = TlsFiles {
        certificate: write(&dir, "server.pem", &certificate),
        key: write(&dir, "server.key", &key),
        client_ca: None,
    };
    let running = Running::start(no_tables, Config { tls: Some(files.clone()), ..Default::default() }).await;
    let mut client = in_time(connect(&running, &ca, None)).await.unwrap();
    running.until_answer(&mut client).await;
    assert_eq!(value(&mut client).await.unwrap(), 8);
    // Without TLS there is no talking to it.
    let plain = Channel::from_shared(format!("http://{}", running.address)).unwrap().connect().await;
    if let Ok(channel) = plain {
        assert!(value(&mut SolverClient::new(channel)).await.is_err());
    }

    // A certificate by somebody else: who trusts only that one gets in after a reload, and open connections stay.
    let other = authority();
    assert!(connect(&running, &other, None).await.is_err());
    let (certificate, key) = signed(&other);
    write(&dir, "server.pem", &certificate);
    write(&dir, "server.key", &key);
    running.reload.notify_one();
    let mut renewed = loop {
        if let Ok(client) = in_time(connect(&running, &other, None)).await {
            break client;
        }
    };
    assert_eq!(value(&mut renewed).await.unwrap(), 8);
    assert_eq!(value(&mut client).await.unwrap(), 8);
    // Files that do not fit together change nothing.
    write(&dir, "server.key", &signed(&other).1);
    running.reload.notify_one();
    // The second of two notifications is heard only when the first has been acted on.
    tokio::task::yield_now().await;
    running.reload.notify_one();
    assert_eq!(value(&mut in_time(connect(&running, &other, None)).await.unwrap()).await.unwrap(), 8);
}

#[tokio::test]
async fn only_clients_with_a_certificate_get_in() {
    let (dir, ca, clients) = (tempfile::tempdir().unwrap(), authority(), authority());
    let (certificate, key) = signed(&ca);
    let files = TlsFiles {
        certificate: write(&dir, "server.pem", &certificate),
        key: write(&dir, "server.key", &key),
        client_ca: Some(write(&dir, "clients.pem", &clients.pem())),
    };
    let running = Running::start(no_tables, Config { tls: Some(files), ..Default::default() }).await;
    let identity = |by: &Authority| {
        let (certificate, key) = signed(by);
        Some(Identity::from_pem(certificate, key))
    };
    let mut client = in_time(connect(&running, &ca, identity(&clients))).await.unwrap();
    running.until_answer(&mut client).await;
    for stranger in [None, identity(&ca)] {
        // The client may think itself connected until it asks.
        if let Ok(mut client) = in_time(connect(&running, &ca, stranger)).await {
            assert!(in_time(value(&mut client)).await.is_err());
        }
    }
}

#[tokio::test]
async fn only_clients_with_a_token_are_answered() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = write(&dir, "tokens", "0123456789abcdef\n");
    let running = Running::ready(Config { tokens: Some(tokens.clone()), ..Default::default() }).await;
    let ask = async |token: Option<&str>| {
        let mut request = Request::new(endgame_value(&[9, 5, 2], &[]));
        if let Some(token) = token {
            let value = MetadataValue::try_from(format!("Bearer {token}")).unwrap();
            request.metadata_mut().insert("authorization", value);
        }
        running.client().await.endgame_value(request).await.map(|answer| answer.into_inner().value)
    };
    assert_eq!(ask(Some("0123456789abcdef")).await.unwrap(), 8);
    for token in [None, Some("0123456789abcdee"), Some("")] {
        let refused = ask(token).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unauthenticated);
        assert!(!refused.message().contains("0123456789abcde"), "{refused}");
    }
    // Health is for everybody, metrics are not.
    let mut health = HealthClient::new(running.channel().await);
    assert!(health.check(HealthCheckRequest::default()).await.is_ok());
    assert!(running.get("/healthz", "").await.starts_with("HTTP/1.1 200"));
    assert!(running.get("/metrics", "").await.starts_with("HTTP/1.1 401"));
    let known = "authorization: Bearer 0123456789abcdef\r\n";
    assert!(running.get("/metrics", known).await.starts_with("HTTP/1.1 200"));

    // The new tokens count after a reload; none is logged or told.
    std::fs::write(&tokens, "another-token-of-ours\n").unwrap();
    running.reload.notify_one();
    while ask(Some("another-token-of-ours")).await.is_err() {}
    assert_eq!(ask(Some("0123456789abcdef")).await.unwrap_err().code(), Code::Unauthenticated);
}

#[tokio::test]
async fn a_server_with_files_it_cannot_use_does_not_start() {
    let missing = PathBuf::from("no/such/file");
    let files = TlsFiles { certificate: missing.clone(), key: missing.clone(), client_ca: None };
    for config in [
        Config { tls: Some(files), ..Default::default() },
        Config { tokens: Some(missing), ..Default::default() },
    ] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let served = server::serve(listener, no_tables, config, signals(std::future::pending()));
        let error = in_time(served).await.unwrap_err().to_string();
        assert!(error.contains("no/such/file"), "{error}");
    }
}
