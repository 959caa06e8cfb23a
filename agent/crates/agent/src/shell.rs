//! `tailroom-agent completions` and `tailroom-agent man`: shell completion and the manual page.

use std::io::Write as _;
use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::Failure;

pub fn completions(shell: Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tailroom-agent", &mut text);
    print(&text)
}

/// Writes the manual pages of the program and of each command into a folder; without a folder, prints that of the program.
pub fn man(folder: Option<&Path>) -> Result<(), Failure> {
    if let Some(folder) = folder {
        clap_mangen::generate_to(Cli::command(), folder)
            .map_err(|error| Failure::Usage(format!("{}: {error}", folder.display())))?;
        return Ok(());
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(Cli::command())
        .render(&mut text)
        .map_err(|error| Failure::Workload(format!("the manual page cannot be made: {error}")))?;
    print(&text)
}

fn print(text: &[u8]) -> Result<(), Failure> {
    std::io::stdout()
        .write_all(text)
        .map_err(|error| Failure::Usage(format!("standard output does not take it: {error}")))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_manual_page_and_completions() {
        let folder = tempfile::tempdir().expect("a folder");
        man(Some(folder.path())).expect("written");
        let mut completions = Vec::new();
        clap_complete::generate(Shell::Bash, &mut Cli::command(), "tailroom-agent", &mut completions);
        let completions = String::from_utf8(completions).expect("text");
        for command in Cli::command().get_subcommands() {
            let page = folder.path().join(format!("tailroom-agent-{}.1", command.get_name()));
            let text = std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
            assert!(text.contains(".SH SYNOPSIS"), "{}", page.display());
            assert!(completions.contains(command.get_name()), "{}", command.get_name());
        }
    }
}
