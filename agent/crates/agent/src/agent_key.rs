//! The key of an agent: created on its machine at enrolment, and never sent anywhere.
//!
//! Its signatures are exchanged for tokens that are valid for minutes; `backend/src/tailroom/access/agent_keys.py` checks them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::failure::Failure;

const PURPOSE: &str = "tailroom short token";

/// A key pair without the id of its credential at the backend.
pub struct NewKey {
    pkcs8: Vec<u8>,
    pair: Ed25519KeyPair,
}

/// A key pair with the id of its credential at the backend.
pub struct AgentKey {
    credential_id: String,
    pair: Ed25519KeyPair,
}

#[derive(Serialize, Deserialize)]
struct KeyFile {
    credential_id: String,
    /// PKCS #8, in base64.
    private_key: String,
}

impl NewKey {
    pub fn make() -> Result<Self, Failure> {
        let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new())
            .map_err(|_| Failure::Workload("the system has no random numbers for a key".to_owned()))?;
        let pkcs8 = made.as_ref().to_vec();
        let pair = pair_of(&pkcs8).map_err(Failure::Workload)?;
        Ok(Self { pkcs8, pair })
    }

    /// Returns the public key in base64, as enrolment sends it.
    pub fn public_text(&self) -> String {
        STANDARD.encode(self.pair.public_key())
    }

    /// Returns the content of the key file, with the id that enrolment returned.
    pub fn file_text(&self, credential_id: String) -> String {
        let file = KeyFile { credential_id, private_key: STANDARD.encode(&self.pkcs8) };
        format!("{:#}", json!(file))
    }
}

impl AgentKey {
    pub fn read(text: &str) -> Result<Self, String> {
        let file: KeyFile =
            serde_json::from_str(text).map_err(|error| format!("this is no key of an agent: {error}"))?;
        let pkcs8 = STANDARD.decode(&file.private_key).map_err(|error| format!("private_key: {error}"))?;
        Ok(Self { credential_id: file.credential_id, pair: pair_of(&pkcs8)? })
    }

    /// Returns the body of a request for a short token; `unix_ns` is the time by the backend's clock, in nanoseconds.
    pub fn proof(&self, unix_ns: u64) -> Value {
        let id = &self.credential_id;
        let signature = self.pair.sign(format!("{PURPOSE}\n{id}\n{unix_ns}").as_bytes());
        json!({"credential_id": id, "unix_ns": unix_ns, "signature": STANDARD.encode(signature)})
    }
}

fn pair_of(pkcs8: &[u8]) -> Result<Ed25519KeyPair, String> {
    Ed25519KeyPair::from_pkcs8(pkcs8).map_err(|error| format!("private_key: {error}"))
}

#[cfg(test)]
mod tests {
    use ring::signature::{ED25519, UnparsedPublicKey};

    use super::*;

    #[test]
    fn a_key_is_the_same_after_it_lay_on_the_disk_and_signs_what_the_backend_checks() {
        let fresh = NewKey::make().expect("a key");
        let text = fresh.file_text("c".to_owned());
        let proof = AgentKey::read(&text).expect("a key").proof(7);
        let signature = STANDARD.decode(proof["signature"].as_str().expect("a text")).expect("base64");
        let public = STANDARD.decode(fresh.public_text()).expect("base64");
        let key = UnparsedPublicKey::new(&ED25519, public);
        key.verify(b"tailroom short token\nc\n7", &signature).expect("signed");
        key.verify(b"tailroom short token\nc\n8", &signature).expect_err("for another moment");
        assert!(AgentKey::read("{}").is_err());
    }
}
