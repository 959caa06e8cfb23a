//! `tailroom-agent bench`: random reads with a closed queue, for comparing the engines with other tools.

use std::time::Duration;

use device::engine::settings::Polling;
use serde_json::json;

use crate::cli::BenchArgs;
use crate::failure::Failure;
use crate::selftest::process_cpu;

/// Reads for the given number of seconds and prints the result as one JSON object.
pub fn bench(args: &BenchArgs) -> Result<(), Failure> {
    let block_bytes = u32::try_from(args.block).unwrap_or(u32::MAX);
    let queue = device::closed_queue::ClosedQueue {
        path: args.file.clone(),
        block_bytes,
        depth: args.depth,
        threads: args.threads,
        duration: Duration::from_secs(args.seconds),
        engine: args.engine,
        direct_io: !args.buffered,
        polling: Polling::of(args.sq_poll, args.io_poll).map_err(Failure::Usage)?,
    };
    let before = process_cpu();
    let done = queue.run().map_err(|error| Failure::Workload(error.0))?;
    let cpu = process_cpu().saturating_sub(before);
    println!(
        "{}",
        json!({
            "operations": done.operations, "errors": done.errors, "elapsed_s": done.elapsed.as_secs_f64(),
            "iops": done.operations as f64 / done.elapsed.as_secs_f64(),
            "cpu_us_per_operation": cpu.as_secs_f64() * 1e6 / done.operations.max(1) as f64,
            "engine": device::engine::resolve(args.engine),
        })
    );
    Ok(())
}
