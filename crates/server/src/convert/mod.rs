//! Where messages end and the domain begins: [`request`] turns what a client sent into checked types or
//! violations, [`response`] turns answers into messages. No rule of the game is known here; each is asked of
//! the type it belongs to, and only the path of the field is added.

pub(crate) mod limits;
pub(crate) mod request;
pub(crate) mod response;
