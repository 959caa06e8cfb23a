//! What can be typed about campaigns, tools of others and observers.

use std::path::PathBuf;

use clap::Args;

use super::output_args::{BackendArgs, SpoolArgs};

#[derive(Debug, Args)]
pub struct EnrolArgs {
    /// Where the backend is. No token is needed: the code lets the agent in.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// The code that the pages show under Agents; also `TAILROOM_ENROLMENT_CODE`.
    #[arg(long, env = "TAILROOM_ENROLMENT_CODE", hide_env_values = true, allow_hyphen_values = true)]
    pub code: String,
    /// What pages call this agent; else the name of the machine.
    #[arg(long)]
    pub name: Option<String>,
    /// Folder of what enrolling gives; else `tailroom/agent` in the user's state folder.
    #[arg(long, env = "TAILROOM_AGENT_STATE")]
    pub state: Option<PathBuf>,
    /// Enrol anew where an agent enrolled before.
    #[arg(long)]
    pub again: bool,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Folder of what enrolling gave; else `tailroom/agent` in the user's state folder.
    #[arg(long, env = "TAILROOM_AGENT_STATE")]
    pub state: Option<PathBuf>,
    /// What campaigns may do on this machine; else `/etc/tailroom/campaigns.toml`.
    #[arg(long, env = "TAILROOM_CAMPAIGN_POLICY")]
    pub policy: Option<PathBuf>,
    /// Where intervals lie until they are acknowledged.
    #[command(flatten)]
    pub spool: SpoolArgs,
}

/// The part of one agent in a campaign.
#[derive(Debug, Args)]
pub struct CampaignArgs {
    /// How many agents carry the plan out together.
    #[arg(long, hide = true, default_value_t = 1)]
    pub agents: u32,
    /// Which of them this is.
    #[arg(long, hide = true, default_value_t = 0)]
    pub agent: u32,
    /// The campaign; phases wait for standard input.
    #[arg(long, hide = true)]
    pub campaign: Option<String>,
    /// What a person calls it.
    #[arg(long, hide = true)]
    pub title: Option<String>,
    /// A drive that a drive ladder reads; once for each.
    #[arg(long = "drive", hide = true)]
    pub drives: Vec<PathBuf>,
    /// The folder of synchronous writes.
    #[arg(long, hide = true)]
    pub folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ExecArgs {
    /// Where to send; without a backend the file is all there is. The token of an engineer is read from `--token-file` or
    /// `TAILROOM_TOKEN`.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// File of what the tool prints; else its name and the time, in this folder. It must not exist yet.
    #[arg(long)]
    pub log: Option<PathBuf>,
    /// How often the growing output is sent; 0: at the end alone.
    #[arg(long, default_value_t = 30)]
    pub every_s: u64,
    /// The tool with its arguments, behind `--`. They are sent nowhere.
    #[arg(last = true, required = true, value_name = "TOOL")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct ObserveArgs {
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Folder for samples until they are acknowledged: beside this folder, with `-observations` behind its name.
    #[command(flatten)]
    pub spool: SpoolArgs,
    /// What pages call this machine; else its name.
    #[arg(long)]
    pub name: Option<String>,
    /// A server on this machine as runs name it, such as `redis://10.0.0.5:6379`; may be repeated. By it pages know that this
    /// machine was measured.
    #[arg(long, value_name = "ADDRESS")]
    pub server: Vec<String>,
    /// For so long; else until it is ended.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub duration_s: Option<u64>,
    /// How often what was observed is sent.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub every_s: u64,
    /// Print each second too, as JSON; without a backend that is all.
    #[arg(long)]
    pub print: bool,
    /// At the end, give up when the backend has been away for so long; the next `observe` delivers it.
    #[arg(long, default_value_t = 60)]
    pub deliver_wait_s: u64,
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    #[test]
    fn a_code_may_begin_with_a_hyphen() {
        let words = ["enrol", "--backend", "http://127.0.0.1:1", "--code", "-mXy", "--name", "north"];
        let matches = EnrolArgs::augment_args(Command::new("enrol")).try_get_matches_from(words).expect("taken");
        assert_eq!(EnrolArgs::from_arg_matches(&matches).expect("taken").code, "-mXy");
    }
}
