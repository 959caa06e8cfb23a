//! `tailroom-agent explain`: explains a plan without connecting to anything.

use std::io::Write as _;
use std::process::ExitCode;

use crate::cli::ExplainArgs;
use crate::failure::{Failure, read_text};
use crate::local_plan::LocalPlan;

/// Prints phases, rates by agent, the data set and every difference from the original workload, as one JSON object.
pub fn explain(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    let path = args.plan.display();
    let text = read_text("the plan", &args.plan)?;
    let refused = |error: &dyn std::fmt::Display| Failure::Usage(format!("{path}: {error}"));
    let json = if let Some(plan) = LocalPlan::in_text(&text) {
        serde_json::to_string_pretty(&plan.map_err(|error| refused(&error))?.explained())
    } else {
        let explanation = workloads::plan::explain(&text, args.agents).map_err(|error| refused(&error))?;
        serde_json::to_string_pretty(&explanation)
    };
    let json = json.map_err(|error| Failure::Workload(format!("the plan has no JSON form: {error}")))?;
    // A reader such as `head` may close the pipe early.
    let _ = writeln!(std::io::stdout(), "{json}");
    Ok(ExitCode::SUCCESS)
}
