//! Addresses and tokens that cannot be.

use proto::client::{Client, ClientError};
use tonic::Code;

#[tokio::test]
async fn what_is_no_address_is_said_so() {
    for uri in ["", "127.0.0.1:50051", "ftp://host", "http://[", "/path"] {
        let error = Client::builder(uri).connect().await.unwrap_err();
        assert!(matches!(error, ClientError::Address { .. }), "{uri}: {error}");
        assert!(error.to_string().starts_with(&format!("{uri:?} is no address of a server: ")), "{error}");
    }
}

#[tokio::test]
async fn a_token_no_header_can_hold_is_refused() {
    let error = Client::builder("http://127.0.0.1:1").token("a\nb").connect_lazy().unwrap_err();
    assert!(matches!(error, ClientError::Token), "{error}");
}

#[tokio::test]
async fn where_no_server_is_there_is_none() {
    // The listener is gone, and its port with it.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let uri = format!("http://127.0.0.1:{port}");
    let error = Client::builder(&uri).connect().await.unwrap_err();
    assert!(matches!(error, ClientError::Connect { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("there is no server at {uri}: ")), "{error}");

    let client = Client::builder(&uri).connect_lazy().unwrap();
    let error = client.endgame_value(Default::default()).await.unwrap_err();
    assert_eq!(error.code(), Some(Code::Unavailable));
}
