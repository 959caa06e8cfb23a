//! A TLS proxy in front of a test's server, because the servers of the repository's environment are built without TLS.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair};
use rustix::event::{PollFd, PollFlags, poll};
use rustls::pki_types::PrivateKeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection};

/// Name in the server's certificate.
pub const NAME: &str = "db.example";

/// A TLS proxy in front of a server. It ends with the process of the test.
pub struct TlsProxy {
    folder: tempfile::TempDir,
    /// Port on loopback.
    pub port: u16,
}

impl TlsProxy {
    /// Starts a proxy in front of the port `behind` on loopback. If `asks`, TLS begins with the `SSLRequest` of `PostgreSQL`. If
    /// `demands`, clients must present a certificate.
    pub fn start(behind: u16, asks: bool, demands: bool) -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("signed");
        let signed = |usage| {
            let key = KeyPair::generate().expect("a key");
            let mut params = CertificateParams::new(vec![NAME.to_owned()]).expect("a name");
            params.extended_key_usages = vec![usage];
            (params.signed_by(&key, &authority).expect("signed"), key)
        };
        let (certificate, key) = signed(ExtendedKeyUsagePurpose::ServerAuth);
        let (own, own_key) = signed(ExtendedKeyUsagePurpose::ClientAuth);
        for (name, text) in [("ca.pem", authority.pem()), ("own.pem", own.pem()), ("own.key", own_key.serialize_pem())]
        {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        let mut roots = RootCertStore::empty();
        roots.add(authority.der().clone()).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
        let builder = builder.with_safe_default_protocol_versions().expect("versions");
        let builder = if demands {
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.with_client_cert_verifier(verifier.expect("a verifier"))
        } else {
            builder.with_no_client_auth()
        };
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        let config = Arc::new(builder.with_single_cert(vec![certificate.der().clone()], key).expect("a pair"));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        thread::spawn(move || {
            for outside in listener.incoming().flatten() {
                let config = Arc::clone(&config);
                thread::spawn(move || pass_on(outside, behind, asks, config));
            }
        });
        Self { folder, port }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the file with the certificate of the authority that signed the server's certificate.
    pub fn authority(&self) -> PathBuf {
        self.file("ca.pem")
    }

    /// Returns the files with an accepted client certificate and with its key.
    pub fn client_certificate(&self) -> (PathBuf, PathBuf) {
        (self.file("own.pem"), self.file("own.key"))
    }
}

fn pass_on(mut outside: TcpStream, behind: u16, asks: bool, config: Arc<ServerConfig>) -> io::Result<()> {
    let mut inside = TcpStream::connect(("127.0.0.1", behind))?;
    inside.set_nodelay(true)?;
    outside.set_nodelay(true)?;
    if asks {
        outside.read_exact(&mut [0; 8])?;
        outside.write_all(b"S")?;
    }
    let mut tls = ServerConnection::new(config).map_err(io::Error::other)?;
    while tls.is_handshaking() {
        tls.complete_io(&mut outside)?;
    }
    while tls.wants_write() {
        tls.write_tls(&mut outside)?;
    }
    let mut part = vec![0; 64 << 10];
    loop {
        // Includes data that arrived together with the end of the handshake.
        let state = tls.process_new_packets().map_err(io::Error::other)?;
        let mut text = vec![0; state.plaintext_bytes_to_read()];
        tls.reader().read_exact(&mut text)?;
        inside.write_all(&text)?;
        let (from_outside, from_inside) = {
            let mut both = [PollFd::new(&outside, PollFlags::IN), PollFd::new(&inside, PollFlags::IN)];
            poll(&mut both, None)?;
            (!both[0].revents().is_empty(), !both[1].revents().is_empty())
        };
        if from_outside && tls.read_tls(&mut outside)? == 0 {
            return Ok(());
        }
        if from_inside {
            let read = inside.read(&mut part)?;
            if read == 0 {
                return Ok(());
            }
            tls.writer().write_all(&part[..read])?;
        }
        while tls.wants_write() {
            tls.write_tls(&mut outside)?;
        }
    }
}
