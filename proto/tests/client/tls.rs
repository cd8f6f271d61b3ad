//! Over https: whom the client believes, and who it says it is.

use proto::client::{Client, ClientBuilder, ClientError};
use proto::v1::EndgameValueResponse;
use proto::v1::solver_server::SolverServer;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Certificate, Identity, Server, ServerTlsConfig};

use crate::support::Act;

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
    let params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    (params.signed_by(&key, by).unwrap().pem(), key.serialize_pem())
}

/// A server that lets in only whom this authority knows, and a client of it to be told more.
async fn start(authority: &Authority) -> impl Fn() -> ClientBuilder {
    let (certificate, key) = signed(authority);
    let tls = ServerTlsConfig::new()
        .identity(Identity::from_pem(certificate, key))
        .client_ca_root(Certificate::from_pem(authority.pem()));
    let act = Act::Value(Box::new(|_| {
        Box::pin(async { Ok(EndgameValueResponse { value: 8, ..Default::default() }) })
    }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("https://{}", listener.local_addr().unwrap());
    let router = Server::builder().tls_config(tls).unwrap().add_service(SolverServer::new(act));
    tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
    move || Client::builder(&uri)
}

async fn value(client: ClientBuilder) -> Result<i32, ClientError> {
    Ok(client.connect().await?.endgame_value(Default::default()).await?.value)
}

#[tokio::test]
async fn only_those_who_know_each_other_talk() {
    let (ours, theirs) = (authority(), authority());
    let client = start(&ours).await;
    let (certificate, key) = signed(&ours);

    assert_eq!(value(client().ca_certificate(ours.pem()).identity(&certificate, &key)).await.unwrap(), 8);
    // A server nobody here knows, by the machine's authorities or by another.
    for stranger in [client(), client().ca_certificate(theirs.pem())] {
        let error = value(stranger.identity(&certificate, &key)).await.unwrap_err();
        assert!(matches!(error, ClientError::Connect { .. }), "{error}");
        assert!(error.to_string().contains("certificate"), "{error}");
    }
    // A client the server does not know; it may say so only after the client believes it is connected.
    let (certificate, key) = signed(&theirs);
    for stranger in [client(), client().identity(certificate, key)] {
        value(stranger.ca_certificate(ours.pem())).await.unwrap_err();
    }
}
