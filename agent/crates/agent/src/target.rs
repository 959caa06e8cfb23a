//! The plan and the server of a database workload as named by the arguments, and failures of the server as sentences.

use std::path::Path;

use database::store::ServerAddress;
use workloads::job::Job;
use workloads::plan::Plan;

use crate::cli::TargetArgs;
use crate::failure::{Failure, read_text};
use crate::run_context::RunContext;
use crate::stop::Cause;

/// Reads the plan of a database workload; returns `None` if the file holds another plan.
pub fn plan_in(path: &Path) -> Result<Option<Plan>, Failure> {
    let text = read_text("the plan", path)?;
    if !Plan::is_database_plan(&text) {
        return Ok(None);
    }
    Plan::parse(&text).map(Some).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))
}

/// Replaces the failure by the signal that caused it, since a signal interrupts all waits for the server.
pub fn if_stopped(failure: Failure, context: &RunContext<'_>, server: &ServerAddress) -> Failure {
    match (failure, context.stop().cause()) {
        (Failure::Workload(_), Some(Cause::Signal(name))) => Failure::Workload(format!(
            "stopped by {name} while the objects on database server {} were read, checked or removed; the same command \
             continues from there",
            server.address
        )),
        (failure, _) => failure,
    }
}

/// Returns the names of the phases that are measured.
pub fn phases_of(job: &Job) -> Vec<&str> {
    job.stages.iter().filter(|stage| stage.measures()).map(|stage| &*stage.name).collect()
}

/// Returns the phase whose load is searched for: the chosen phase, otherwise the only phase. Fails with the names of all.
pub fn searched_phase(job: &Job, chosen: &[String]) -> Result<String, String> {
    let names = phases_of(job);
    match (chosen, &*names) {
        ([], [only]) => Ok((*only).to_owned()),
        ([phase], _) if names.contains(&&**phase) => Ok(phase.clone()),
        _ => Err(names.join(", ")),
    }
}

pub fn server_address(args: &TargetArgs) -> Result<ServerAddress, Failure> {
    let target = args.target.as_deref().ok_or_else(|| {
        Failure::Usage("this plan needs a server: give --target, such as redis://127.0.0.1:6379".to_owned())
    })?;
    let password = match &args.password_file {
        None => std::env::var("TAILROOM_TARGET_PASSWORD").ok().filter(|password| !password.is_empty()),
        Some(path) => Some(read_text("the password in", path)?.trim_end_matches(['\r', '\n']).to_owned()),
    };
    let server = ServerAddress::parse(target, password).and_then(|server| server.with_tls(args.tls.files()));
    server.map_err(|error| Failure::Usage(format!("--target: {error}")))
}
