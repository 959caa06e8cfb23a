//! Validation of the backend's address, and the certificate authorities that are trusted for it.

use std::fs;
use std::net::IpAddr;
use std::path::PathBuf;

use ureq::http::Uri;
use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};

use crate::failure::Failure;

/// Checks an address and returns whether it is on this machine. Fails if it is not an HTTP address, or if it would send the
/// token unencrypted over the network without `allow_plain_http`.
pub fn check_address(url: &str, allow_plain_http: bool) -> Result<bool, Failure> {
    let refuse = |why: &str| Err(Failure::Usage(format!("--backend {url}: {why}")));
    // The HTTP client's own parser ensures that the check and the request mean the same host.
    let uri = url.parse::<Uri>().ok();
    let parts = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.authority()?)));
    let Some((scheme @ ("http" | "https"), authority)) = parts.filter(|(_, to)| !to.as_str().contains('@')) else {
        return refuse("an address such as https://tailroom.example.org or http://127.0.0.1:8400 is needed");
    };
    let host = authority.host().trim_matches(['[', ']']);
    let loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if scheme == "http" && !loopback && !allow_plain_http {
        return refuse(
            "the token would cross the network unencrypted; use https, or --allow-plain-http where the network is trusted",
        );
    }
    Ok(loopback)
}

/// Returns the certificate authorities in a PEM file.
pub fn certificates(path: &PathBuf) -> Result<RootCerts, Failure> {
    let refuse = |why: String| Failure::Usage(format!("--ca-file {}: {why}", path.display()));
    let pem = fs::read(path).map_err(|error| refuse(error.to_string()))?;
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| refuse(error.to_string()))? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(refuse("it holds no certificate in PEM form".to_owned()));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_goes_unencrypted_to_this_machine_only() {
        for url in ["http://127.0.0.1:8400", "http://localhost:8400/base", "http://[::1]:8400"] {
            assert!(check_address(url, false).expect("allowed"), "{url}");
        }
        assert!(!check_address("https://tailroom.example.org", false).expect("allowed"));
        assert!(!check_address("http://api:8400", true).expect("allowed"));
        for url in ["http://api:8400", "http://127.0.0.1.example.org", "ftp://localhost", "localhost:8400", "http://"] {
            assert!(check_address(url, false).is_err(), "{url}");
        }
        assert!(check_address("http://localhost:1@example.org", false).is_err(), "who is asked must be plain");
    }
}
