//! `tailroom-agent run`: executes one plan, or all phases of a plan for a database.

use std::process::ExitCode;

use crate::cli::{ProgressKind, RunArgs};
use crate::events::Event;
use crate::failure::Failure;
use crate::job;
use crate::local_plan::LocalPlan;
use crate::plan::Plan;
use crate::run_context::RunContext;
use crate::target;

pub fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let result = carry_out(args);
    if let (Err(failure), ProgressKind::Json) = (&result, args.output.progress()) {
        println!("{}", serde_json::json!(Event::Failed { reason: failure.to_string() }));
    }
    result
}

fn carry_out(args: &RunArgs) -> Result<ExitCode, Failure> {
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
    context.conclude(context.run(&plan, args.run_id, args.output.result.as_deref()).map(drop))
}
