//! gRPC by hand over HTTP/2: a client without a clock of its own, so that only the server keeps the deadline.

use h2::client::SendRequest;
use http::{HeaderMap, Request};
use prost::Message;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_util::bytes::{BufMut as _, Bytes, BytesMut};

use crate::support::{Running, in_time};

/// A connection.
pub(crate) struct Raw {
    send: SendRequest<Bytes>,
    connection: JoinHandle<()>,
}

impl Drop for Raw {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

/// A call under way.
pub(crate) struct RawCall {
    /// Held so that the request stays open.
    _request: h2::SendStream<Bytes>,
    response: h2::client::ResponseFuture,
}

impl Raw {
    pub(crate) async fn connect(running: &Running) -> Raw {
        let tcp = TcpStream::connect(running.address).await.unwrap();
        let (send, connection) = h2::client::handshake(tcp).await.unwrap();
        let connection = tokio::spawn(async move {
            let _ = connection.await;
        });
        Raw { send, connection }
    }

    /// Sends one message to a method; `open` leaves the request unfinished.
    pub(crate) async fn call(
        &mut self,
        method: &str,
        timeout: &str,
        message: &impl Message,
        open: bool,
    ) -> RawCall {
        let request = Request::post(format!("http://localhost/doublecross.v1.Solver/{method}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .header("grpc-timeout", timeout)
            .body(())
            .unwrap();
        let mut send = self.send.clone().ready().await.unwrap();
        let (response, mut request) = send.send_request(request, false).unwrap();
        let mut frame = BytesMut::new();
        frame.put_u8(0);
        frame.put_u32(message.encoded_len() as u32);
        message.encode(&mut frame).unwrap();
        request.send_data(frame.freeze(), !open).unwrap();
        RawCall { _request: request, response }
    }
}

impl RawCall {
    /// The bytes of all messages, and the final status code.
    pub(crate) async fn finish(self) -> (usize, String) {
        let response = in_time(self.response).await.unwrap();
        let status = |headers: &HeaderMap| {
            headers.get("grpc-status").map(|status| status.to_str().unwrap().to_owned())
        };
        if let Some(status) = status(response.headers()) {
            return (0, status);
        }
        let mut body = response.into_body();
        let mut bytes = 0;
        while let Some(data) = in_time(body.data()).await {
            let data = data.unwrap();
            bytes += data.len();
            body.flow_control().release_capacity(data.len()).unwrap();
        }
        let trailers = in_time(body.trailers()).await.unwrap().unwrap();
        (bytes, status(&trailers).unwrap())
    }
}
