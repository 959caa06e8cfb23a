//! The choice of offset 0 of a run, which is stored before it is reached.

use std::time::{Duration, Instant};

use measure::clock::Start;
use measure::series::WorkloadError;
use wire::spool::RunSpool;

/// Times from the choice to offset 0, in which the choice is stored; a slow disk gets a longer one.
const LEAD_TIMES: [Duration; 4] =
    [Duration::from_millis(50), Duration::from_millis(400), Duration::from_secs(2), Duration::from_secs(10)];

/// Chooses offset 0 and stores it before it is reached, so that the announced start is the true start. Fails if the disk is too
/// slow for that, or cannot be written.
pub fn choose(spool: &mut RunSpool) -> Result<Start, WorkloadError> {
    let refuse = |error| WorkloadError(format!("spool: {error}"));
    for lead in LEAD_TIMES {
        let start = Start::after(lead);
        spool.starts_at(start.unix_ns, start.uncertainty_ns).map_err(refuse)?;
        if start.time.origin() > Instant::now() + lead / 2 {
            return Ok(start);
        }
    }
    Err(WorkloadError(format!(
        "the disk of the spool takes longer than {} s to keep a small file, so it would not keep up with a run; choose \
         another folder (--spool)",
        LEAD_TIMES[LEAD_TIMES.len() - 1].as_secs()
    )))
}

/// Stores the start that was agreed with other agents. The schedule does not move for an agent that is late. Fails if the start
/// has passed, or the disk cannot be written.
pub fn store_agreed(spool: &mut RunSpool, start: Start) -> Result<Start, WorkloadError> {
    spool.starts_at(start.unix_ns, start.uncertainty_ns).map_err(|error| WorkloadError(format!("spool: {error}")))?;
    let late = Instant::now().saturating_duration_since(start.time.origin());
    if late.is_zero() {
        return Ok(start);
    }
    Err(WorkloadError(format!(
        "this agent was ready {} ms after the agreed instant; it was too slow to open its connections or its ramp took longer",
        late.as_millis()
    )))
}
