//! The credential of the agent at its backend: a token, or the key created at enrolment.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::agent_key::AgentKey;
use crate::cli::BackendArgs;
use crate::failure::Failure;

/// Credential of the agent; never printed.
pub enum Credential {
    /// No credential: the backend decides by the address alone.
    Nothing,
    /// A token, sent unchanged.
    Token(String),
    /// A key whose signatures are exchanged for short tokens.
    Key { key: AgentKey, short: Option<ShortToken> },
}

/// A token that was obtained with a signature.
pub struct ShortToken {
    pub text: String,
    /// When a new token is requested.
    pub renew_at: Instant,
}

/// Returns the credential from the file named by the arguments, or else from the environment variable `variable`.
pub fn credential(args: &BackendArgs, variable: &str) -> Result<Credential, Failure> {
    match &args.token_file {
        Some(path) => read_credential(path).map_err(Failure::Usage),
        None => Ok(as_token(&std::env::var(variable).unwrap_or_default())),
    }
}

/// Reads a credential from a file that holds a token or the key created at enrolment.
pub fn read_credential(path: &Path) -> Result<Credential, String> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read the token {}: {error}", path.display()))?;
    if text.trim_start().starts_with('{') {
        let key = AgentKey::read(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(Credential::Key { key, short: None });
    }
    Ok(as_token(&text))
}

fn as_token(text: &str) -> Credential {
    let text = text.trim();
    let is_plain = !text.is_empty() && text.chars().all(|character| character.is_ascii_graphic());
    if is_plain { Credential::Token(text.to_owned()) } else { Credential::Nothing }
}
