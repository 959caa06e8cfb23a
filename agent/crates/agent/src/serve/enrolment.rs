//! `tailroom-agent enrol`: makes this machine an agent of a backend.

use serde_json::json;

use super::ANSWER_TIMEOUT;
use super::identity::{Folder, Identity};
use super::policy::DEFAULT_PATH;
use crate::agent_key::NewKey;
use crate::cli::EnrolArgs;
use crate::failure::Failure;
use crate::inventory;
use crate::transport::Transport;

/// Enrols this machine with a code that is valid once.
pub fn enrol(args: &EnrolArgs) -> Result<(), Failure> {
    let folder = Folder::of(args.state.as_deref())?;
    if folder.is_enrolled() && !args.again {
        return Err(Failure::Usage(format!(
            "this machine enrolled before ({}); to enrol again add --again",
            folder.join("agent.json").display()
        )));
    }
    folder.make()?;
    let name = args.name.clone().unwrap_or_else(inventory::hostname);
    let transport = Transport::without_token(&args.backend)?;
    let pair = NewKey::make()?;
    let body = json!({
        "code": args.code, "name": name, "version": inventory::agent_version(), "inventory": inventory::inventory(&[]),
        "public_key": pair.public_text(),
    });
    let answer =
        transport.call("/api/v1/agents", &body, ANSWER_TIMEOUT).map_err(|refusal| Failure::Usage(refusal.sentence))?;
    let text = |field: &str| {
        answer[field].as_str().map(str::to_owned).ok_or_else(|| {
            Failure::Usage(format!("{}: the answer has no {field}; is it a tailroom backend?", transport.base_url))
        })
    };
    let identity = Identity {
        backend: transport.base_url.clone(),
        ca_file: args.backend.ca_file.clone(),
        allow_plain_http: args.backend.allow_plain_http,
        agent_id: text("agent_id")?,
        name: name.clone(),
        public_key: text("public_key")?,
        last_command: 0,
    };
    folder.enrolled(&identity, &pair.file_text(text("credential_id")?))?;
    println!(
        "Enrolled as {name}. Say in {DEFAULT_PATH} what campaigns may do here, then start `tailroom-agent serve`."
    );
    Ok(())
}
