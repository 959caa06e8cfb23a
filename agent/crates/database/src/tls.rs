//! TLS to a server: which certificates are trusted, and messages for failures.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{AlertDescription, CertificateError, ClientConfig, ClientConnection, Error, RootCertStore};

use crate::address::{Address, Driver};

/// Files and names of a TLS connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsFiles {
    /// Certificates of the trusted authorities; `None` for those of this machine.
    pub authorities: Option<PathBuf>,
    /// Name that the server's certificate must have; `None` for the host in the address.
    pub server_name: Option<String>,
    /// Client certificate, if the server asks for one.
    pub certificate: Option<PathBuf>,
    pub key: Option<PathBuf>,
}

/// TLS settings that all connections to a server share.
#[derive(Debug, Clone)]
pub struct Tls {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    /// Request in the server's own protocol that precedes TLS, if it needs one. The answer is one byte.
    pub question: Option<&'static [u8]>,
    /// Answer to `question` if the server supports TLS.
    pub agreement: u8,
}

/// `SSLRequest` message of `PostgreSQL`.
const SSL_REQUEST: &[u8] = &[0, 0, 0, 8, 4, 210, 22, 47];

fn read<T>(what: &str, path: &Path, read: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    read().map_err(|error| format!("{what} {} cannot be used: {error}", path.display()))
}

fn certificates(what: &str, path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let items: Vec<_> = read(what, path, || {
        let all = CertificateDer::pem_file_iter(path).map_err(|error| error.to_string())?;
        all.collect::<Result<_, _>>().map_err(|error| error.to_string())
    })?;
    if items.is_empty() { Err(format!("{what} {} holds no certificate (PEM)", path.display())) } else { Ok(items) }
}

impl Tls {
    /// Reads `files` for a server at `address`. Fails with the file or name that cannot be used.
    pub fn new(files: &TlsFiles, driver: Driver, address: &Address) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        if let Some(path) = &files.authorities {
            for certificate in certificates("the file of authorities (--tls-ca)", path)? {
                read("the file of authorities (--tls-ca)", path, || {
                    roots.add(certificate).map_err(|error| error.to_string())
                })?;
            }
        } else {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = builder.map_err(|error| error.to_string())?.with_root_certificates(roots);
        let config = match (&files.certificate, &files.key) {
            (Some(certificate), Some(key)) => {
                let chain = certificates("our own certificate (--tls-cert)", certificate)?;
                let what = "the key of our own certificate (--tls-key)";
                let secret = read(what, key, || PrivateKeyDer::from_pem_file(key).map_err(|error| error.to_string()))?;
                read(what, key, || builder.with_client_auth_cert(chain, secret).map_err(|error| error.to_string()))?
            }
            (None, None) => builder.with_no_client_auth(),
            _ => return Err("--tls-cert and --tls-key belong together: give both, or neither".to_owned()),
        };
        let name = match (&files.server_name, address) {
            (Some(name), _) | (None, Address::Internet(name, _)) => name.clone(),
            (None, Address::Local(_)) => return Err("a socket in the file system has no TLS".to_owned()),
        };
        let name = ServerName::try_from(name.clone())
            .map_err(|_| format!("{name} is no name that a certificate can have; give one with --tls-server-name"))?;
        let question = (driver == Driver::Postgres).then_some(SSL_REQUEST);
        Ok(Self { config: Arc::new(config), name, question, agreement: b'S' })
    }

    /// Creates a TLS connection that has sent nothing yet. Fails if the settings allow no connection.
    pub fn begin(&self) -> io::Result<ClientConnection> {
        let mut connection = ClientConnection::new(Arc::clone(&self.config), self.name.clone()).map_err(failure)?;
        // The commands in flight already limit the buffer.
        connection.set_buffer_limit(None);
        Ok(connection)
    }
}

/// Converts a TLS error into an error of the connection.
pub(crate) fn failure(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// Describes a TLS connection, as in `TLSv1.3 TLS13_AES_256_GCM_SHA384`.
pub(crate) fn secured(connection: &ClientConnection) -> String {
    let version = connection.protocol_version().map(|version| format!("{version:?}").replace('_', "."));
    let suite = connection.negotiated_cipher_suite().map(|suite| format!("{:?}", suite.suite()));
    [version, suite].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns why a TLS connection failed, and a remedy, in a sentence.
pub(crate) fn sentence(error: &io::Error) -> String {
    let Some(cause) = error.get_ref().and_then(|cause| cause.downcast_ref::<Error>()) else {
        return error.to_string();
    };
    match cause {
        Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "no authority that is trusted here signed its certificate; name the authority's certificate with --tls-ca"
                .into()
        }
        Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => "its certificate is for another name; give the name that stands in it with --tls-server-name".into(),
        Error::InvalidCertificate(CertificateError::Expired | CertificateError::ExpiredContext { .. }) => {
            "its certificate has expired; give it a new one, and look at the clock of this machine".into()
        }
        Error::InvalidCertificate(other) => format!("its certificate cannot be trusted: {other:?}"),
        Error::AlertReceived(
            alert @ (AlertDescription::CertificateRequired
            | AlertDescription::UnknownCA
            | AlertDescription::BadCertificate
            | AlertDescription::HandshakeFailure),
        ) => {
            format!("it refuses our certificate, or asks for one ({alert:?}); give it with --tls-cert and --tls-key")
        }
        Error::InvalidMessage(_) => {
            "what answers there does not speak TLS; name it without TLS, or turn TLS on there".into()
        }
        other => format!("TLS failed: {other}"),
    }
}
