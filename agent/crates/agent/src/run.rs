//! `tailroom-agent run`: executes one plan, or all phases of a plan for a database; and `tailroom-agent explain`, which explains a
//! plan without connecting to anything.

use std::io::Write as _;

use crate::cli::{ExplainArgs, OutputArgs, ProgressKind, RunArgs};
use crate::events::Event;
use crate::failure::{Failure, read_text};
use crate::job;
use crate::local_plan::LocalPlan;
use crate::plan::Plan;
use crate::run_context::RunContext;
use crate::target;

pub fn run(args: &RunArgs) -> Result<(), Failure> {
    reported(&args.output, carry_out(args))
}

/// Reports a failure as an event, with `--json`.
pub fn reported<T>(output: &OutputArgs, result: Result<T, Failure>) -> Result<T, Failure> {
    if let (Err(failure), ProgressKind::Json) = (&result, output.progress()) {
        println!("{}", serde_json::json!(Event::Failed { reason: failure.to_string() }));
    }
    result
}

fn carry_out(args: &RunArgs) -> Result<(), Failure> {
    let path = args.plan_file()?;
    if let Some(plan) = target::plan_in(path)? {
        return job::run(args, path, &plan);
    }
    if let Some(plan) = LocalPlan::in_file(path)? {
        return plan.run(args);
    }
    if args.target.target.is_some() {
        return Err(Failure::Usage(format!("{}: this plan names its own target; leave --target out", path.display())));
    }
    let plan = Plan::read(path)?;
    let context = RunContext::open(&args.output)?;
    context.conclude(context.measure(&plan, args.run_id, args.output.result.as_deref()).map(drop))
}

/// Prints phases, rates by agent, the data set and every difference from the original workload, as one JSON object.
pub fn explain(args: &ExplainArgs) -> Result<(), Failure> {
    let path = args.plan.display();
    let text = read_text("the plan", &args.plan)?;
    let refused = |error: &dyn std::fmt::Display| Failure::Usage(format!("{path}: {error}"));
    let json = if let Some(plan) = LocalPlan::in_text(&text) {
        serde_json::to_string_pretty(&plan.map_err(|error| refused(&error))?.explained())
    } else {
        let explanation = workloads::plan::Plan::parse(&text).and_then(|plan| plan.explain(args.agents));
        let explanation = explanation.map_err(|error| refused(&error))?;
        serde_json::to_string_pretty(&explanation)
    };
    let json = json.map_err(|error| Failure::Workload(format!("the plan has no JSON form: {error}")))?;
    // A reader such as `head` may close the pipe early.
    let _ = writeln!(std::io::stdout(), "{json}");
    Ok(())
}
