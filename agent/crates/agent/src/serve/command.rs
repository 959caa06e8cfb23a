//! Commands of the backend to a serving agent, and their verification.
//!
//! A command is signed with the key that the agent learned at enrolment, names this agent, has a higher number than all before,
//! and expires. An attacker on the network can neither forge nor replay a command.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::Deserialize;

use super::search::SearchOrder;
use crate::objective::SliceCounts;

/// A command as received, with its signature.
#[derive(Debug, Clone, Deserialize)]
pub struct Signed {
    /// The command as JSON; exactly these bytes are signed.
    pub text: String,
    /// Ed25519 signature in base64.
    pub signature: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Command {
    pub agent_id: String,
    /// Number, higher than that of every earlier command.
    pub number: u64,
    /// Time after which the command must not be followed, by the backend's clock in nanoseconds since the Unix epoch.
    pub expires_at_unix_ns: u64,
    pub campaign_id: String,
    #[serde(flatten)]
    pub order: Order,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Order {
    /// Take part in a campaign.
    Prepare {
        title: String,
        plan: String,
        /// Address of the measured server.
        target: String,
        /// Random seed from which the order of keys follows.
        seed: u64,
        agents: u32,
        /// Index of this agent, from 0.
        agent: u32,
        /// Search for the highest load of a phase instead of measuring the phases of the plan.
        search: Option<SearchOrder>,
    },
    /// Inspect the objects, and load missing ones.
    Objects,
    /// Start the phase number `phase` of the plan with offset 0 at this time of the backend's clock, since the Unix epoch.
    Start { phase: usize, at_unix_ns: u64 },
    /// Continue after the probe in this phase; its slices are summed over all agents.
    Probe { phase: usize, slices: Vec<SliceCounts> },
    /// End the job.
    Stop { reason: String },
}

/// Verifies and decodes a command. Fails if the command must not be followed.
pub fn verified(
    signed: &Signed,
    public_key: &[u8],
    agent_id: &str,
    last_number: u64,
    now_unix_ns: Option<u64>,
) -> Result<Command, String> {
    let signature = STANDARD.decode(&signed.signature).unwrap_or_default();
    UnparsedPublicKey::new(&ED25519, public_key).verify(signed.text.as_bytes(), &signature).map_err(|_| {
        "A command was refused: its signature is not of the installation that this agent enrolled with.".to_owned()
    })?;
    let command: Command = serde_json::from_str(&signed.text).map_err(|error| {
        format!("A command was refused: this version of the agent does not know it ({error}). Install a newer agent.")
    })?;
    if command.agent_id != agent_id {
        return Err(format!("A command was refused: it is for the agent {}.", command.agent_id));
    }
    if command.number <= last_number {
        return Err(format!(
            "A command was refused: its number {} is not above {last_number}, so it was sent before.",
            command.number
        ));
    }
    match now_unix_ns {
        None => Err("A command was refused: the backend's clock is not known yet.".to_owned()),
        Some(now) if now > command.expires_at_unix_ns => Err(format!(
            "A command was refused: it expired {:.1} s ago.",
            (now - command.expires_at_unix_ns) as f64 / 1e9
        )),
        Some(_) => Ok(command),
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{Ed25519KeyPair, KeyPair as _};

    use super::*;

    fn signed(key: &Ed25519KeyPair, text: &str) -> Signed {
        Signed { text: text.to_owned(), signature: STANDARD.encode(key.sign(text.as_bytes())) }
    }

    #[test]
    fn only_a_fresh_command_of_the_installation_is_followed() {
        let key = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).expect("a key");
        let other = Ed25519KeyPair::from_seed_unchecked(&[8; 32]).expect("a key");
        let public = key.public_key().as_ref();
        let text = r#"{"agent_id":"a","number":5,"expires_at_unix_ns":100,"campaign_id":"c","kind":"start","phase":1,"at_unix_ns":90}"#;
        let good = signed(&key, text);
        let command = verified(&good, public, "a", 4, Some(100)).expect("a command");
        assert_eq!(command.order, Order::Start { phase: 1, at_unix_ns: 90 });
        let refused =
            |signed: &Signed, agent, last, now| verified(signed, public, agent, last, now).expect_err("refused");
        assert!(refused(&signed(&other, text), "a", 4, Some(1)).contains("signature"));
        assert!(
            refused(&Signed { text: text.replace("90", "91"), ..good.clone() }, "a", 4, Some(1)).contains("signature")
        );
        assert!(refused(&good, "b", 4, Some(1)).contains("is for the agent a"));
        assert!(refused(&good, "a", 5, Some(1)).contains("sent before"));
        assert!(refused(&good, "a", 4, Some(1_000_000_101)).contains("expired 1.0 s ago"));
        assert!(refused(&good, "a", 4, None).contains("clock"));
        let newer = signed(&key, &text.replace("start", "dance"));
        assert!(refused(&newer, "a", 4, Some(1)).contains("Install a newer agent"));
    }
}
