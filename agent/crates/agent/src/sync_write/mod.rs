//! `tailroom-agent sync-write`: measures whether a drive makes small writes durable fast enough for the log of a database.

mod campaign;
mod size_run;

use std::os::unix::fs::FileTypeExt;

use device::sync_write::SyncWritePlan;

pub use self::campaign::{SyncWriteCampaign, WORKLOAD, phases};
pub use self::size_run::SyncWriteRun;
use self::size_run::file_in;
use crate::cli::SyncWriteArgs;
use crate::failure::Failure;
use crate::run_context::RunContext;

/// Measures each block size as a run of its own.
pub fn sync_write(args: &SyncWriteArgs) -> Result<(), Failure> {
    let runs = args.block.iter().map(|block| run_of(args, *block)).collect::<Result<Vec<_>, _>>()?;
    let context = RunContext::open(&args.output)?;
    let result = measure(args, &context, &runs);
    context.conclude(result)
}

fn measure(args: &SyncWriteArgs, context: &RunContext<'_>, runs: &[SyncWriteRun]) -> Result<(), Failure> {
    for run in runs {
        let result = match runs.len() {
            1 => args.output.result.clone(),
            _ => args.output.result_named(&format!("{}b", run.plan.block_bytes)),
        };
        let ended = context.measure(run, None, result.as_deref())?;
        context.display.answer(vec![run.answer(ended.objective.as_ref())]);
        if context.is_stopped() {
            break;
        }
    }
    Ok(())
}

fn run_of(args: &SyncWriteArgs, block_bytes: u64) -> Result<SyncWriteRun, Failure> {
    let path = match (&args.folder, &args.device) {
        (Some(folder), None) => file_in(folder),
        (None, Some(device)) if device.metadata().is_ok_and(|device| device.file_type().is_block_device()) => {
            device.clone()
        }
        (None, Some(device)) => {
            let sentence = "is no block device; name one of those that lsblk lists, or a --folder";
            return Err(Failure::Usage(format!("--device: {} {sentence}", device.display())));
        }
        _ => return Err(Failure::Usage("name a --folder or a --device".to_owned())),
    };
    let target = args.folder.as_deref().unwrap_or(&path).display().to_string();
    let block_bytes = u32::try_from(block_bytes).unwrap_or(u32::MAX);
    let plan = SyncWritePlan::new(path, block_bytes).map_err(|error| Failure::Usage(format!("--block: {error}")))?;
    let title = args.title.clone().unwrap_or_else(|| format!("Synchronous writes on {target}"));
    let consented =
        SyncWritePlan { confirm_serials: args.confirm_serial.clone(), allow_list: args.allow_list.clone(), ..plan };
    SyncWriteRun::new(consented, &title, args.duration_s)
}
