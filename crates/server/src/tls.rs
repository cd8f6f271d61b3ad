//! TLS: certificates from files, read again when they change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwap;
use thiserror::Error;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{Error as PemError, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{VerifierBuilderError, WebPkiClientVerifier};
use tokio_rustls::rustls::{Error as TlsError, RootCertStore, ServerConfig};

/// The files of TLS, all PEM.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlsFiles {
    /// The certificates of the server, its own first.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The certificates of who signs those of clients; when given, a client without one does not get in.
    pub client_ca: Option<PathBuf>,
}

/// Files of TLS that cannot be used. Their contents are never shown.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TlsFilesError {
    /// A file cannot be read, or is not PEM.
    #[error("{} cannot be read as PEM: {cause}", path.display())]
    Pem {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: PemError,
    },
    /// A file has no certificate.
    #[error("{} has no certificate", .0.display())]
    NoCertificate(PathBuf),
    /// Certificate and key cannot be used, or not together.
    #[error("the certificate and the key cannot be used: {0}")]
    Pair(#[from] TlsError),
    /// Clients cannot be checked by these certificates.
    #[error("clients cannot be checked: {0}")]
    Clients(#[from] VerifierBuilderError),
}

/// TLS as it is now. Connections keep what they began with.
pub(crate) struct Tls {
    files: TlsFiles,
    config: ArcSwap<ServerConfig>,
}

impl Tls {
    pub(crate) fn load(files: TlsFiles) -> Result<Tls, TlsFilesError> {
        let config = ArcSwap::from_pointee(read(&files)?);
        Ok(Tls { files, config })
    }

    /// Reads the files again; with an error everything stays as it was.
    pub(crate) fn reload(&self) -> Result<(), TlsFilesError> {
        self.config.store(Arc::new(read(&self.files)?));
        Ok(())
    }

    pub(crate) fn now(&self) -> Arc<ServerConfig> {
        self.config.load_full()
    }
}

fn read(files: &TlsFiles) -> Result<ServerConfig, TlsFilesError> {
    let provider = Arc::new(ring::default_provider());
    let builder =
        ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions()?;
    let builder = match &files.client_ca {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(path)? {
                roots.add(certificate)?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|cause| TlsFilesError::Pem { path: files.key.clone(), cause })?;
    let mut config = builder.with_single_cert(certificates(&files.certificate)?, key)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsFilesError> {
    let bad = |cause| TlsFilesError::Pem { path: path.to_owned(), cause };
    let all: Vec<_> =
        CertificateDer::pem_file_iter(path).map_err(bad)?.collect::<Result<_, _>>().map_err(bad)?;
    if all.is_empty() {
        return Err(TlsFilesError::NoCertificate(path.to_owned()));
    }
    Ok(all)
}
