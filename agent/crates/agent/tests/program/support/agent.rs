//! The built program, with a plan for the null engine.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub const TOKEN: &str = "tlr_agent_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

/// A folder with a plan and a spool.
pub struct Agent {
    folder: TempDir,
}

impl Agent {
    pub fn new(duration_s: u64) -> Self {
        let folder = TempDir::new().expect("a folder");
        let plan = format!(
            "title = \"null\"\nworkload = \"act-storage\"\nduration_s = {duration_s}\nhistogram_every_s = 1\n\
             [act_storage]\npath = \"{}\"\nfile_size_bytes = 16777216\nengine = \"null\"\n",
            folder.path().join("act.dat").display()
        );
        fs::write(folder.path().join("plan.toml"), plan).expect("writable");
        Self { folder }
    }

    pub fn spool(&self) -> PathBuf {
        self.folder.path().join("spool")
    }

    /// Returns how many runs are left in the spool.
    pub fn runs_left(&self) -> usize {
        fs::read_dir(self.spool()).map_or(0, Iterator::count)
    }

    fn command(&self, name: &str, url: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
        command.args([name, "--backend", url, "--spool"]).arg(self.spool());
        command.env("TAILROOM_AGENT_TOKEN", TOKEN).stdin(Stdio::null());
        command
    }

    pub fn run(&self, url: &str) -> Command {
        let mut command = self.command("run", url);
        command.args(["--progress", "json", "--plan"]).arg(self.folder.path().join("plan.toml"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn drain(&self, url: &str) -> Command {
        let mut command = self.command("drain", url);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// Returns the JSON lines that a program printed.
pub fn events(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

pub fn all_text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Reads events of a running agent until one has this name.
pub fn wait_for_event(child: &mut Child, name: &str) {
    let out = child.stdout.as_mut().expect("piped");
    let found =
        BufReader::new(out).lines().map_while(Result::ok).any(|line| line.contains(&format!("\"event\":\"{name}\"")));
    assert!(found, "the agent ended without `{name}`");
}
