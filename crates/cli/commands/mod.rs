//! One module per subcommand.

pub(crate) mod advise;
pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod controller;
pub(crate) mod endgame;
pub(crate) mod generate;
pub(crate) mod measure;
pub(crate) mod nimstring;
pub(crate) mod play;
pub(crate) mod prove;
pub(crate) mod review;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod structure;
pub(crate) mod tables;
pub(crate) mod verify;
