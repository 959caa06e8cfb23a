//! Who asks: a token, or the key that enrolling made.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::agent_key::AgentKey;
use crate::cli::BackendArgs;
use crate::failure::Failure;

/// What lets the agent in; never shown.
pub enum Credential {
    /// No credential: the backend decides by the address alone.
    Nothing,
    /// As it stands.
    Token(String),
    /// A key signs for short tokens.
    Key { key: AgentKey, short: Option<ShortToken> },
}

/// What the key has signed for.
pub struct ShortToken {
    pub text: String,
    /// A new token is requested from then on.
    pub renew_at: Instant,
}

/// What the arguments name, or the variable holds.
///
/// # Errors
/// When a file cannot be used.
pub fn credential(args: &BackendArgs, variable: &str) -> Result<Credential, Failure> {
    match &args.token_file {
        Some(path) => read_credential(path).map_err(Failure::Usage),
        None => Ok(as_token(&std::env::var(variable).unwrap_or_default())),
    }
}

/// What a file holds: a token, or the key that enrolling made.
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
