//! One module per subcommand.

pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod endgame;
pub(crate) mod generate;
pub(crate) mod measure;
pub(crate) mod play;
pub(crate) mod prove;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod structure;
pub(crate) mod tables;
pub(crate) mod verify;
