//! The contract: package `doublecross.v1`, generated from `proto/doublecross/v1/*.proto`.
//!
//! The messages are [`prost`] structs in [`v1`], with the client in [`v1::solver_client`] and the server
//! trait in [`v1::solver_server`]. Every message is also proto3 JSON through [`serde`]: lowerCamelCase names,
//! zero values printed, unknown fields refused. With the feature `client`, the module `client` has a client that keeps
//! deadlines, waits when the server is busy, and keeps a stream full.
//!
//! ```
//! use proto::v1::{EvaluateRequest, evaluate_request::Query};
//!
//! let line = r#"{"id":"a","endgameValue":{"endgame":{"chains":[9,5,2]}}}"#;
//! let request: EvaluateRequest = serde_json::from_str(line)?;
//! let Some(Query::EndgameValue(query)) = request.query else { unreachable!() };
//! assert_eq!(query.endgame.unwrap_or_default().chains, [9, 5, 2]);
//! # Ok::<(), serde_json::Error>(())
//! ```

#[cfg(feature = "client")]
pub mod client;

/// Version 1 of the contract.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/doublecross.v1.rs"));
    include!(concat!(env!("OUT_DIR"), "/doublecross.v1.serde.rs"));
}

/// The encoded `google.protobuf.FileDescriptorSet` of the contract, with its comments: what server
/// reflection serves.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/doublecross.v1.bin"));
