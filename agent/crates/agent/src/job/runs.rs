//! The shared state of a job's runs.

use database::store::{ServerAddress, Store};
use wire::messages::RunId;
use workloads::job::Job;

use crate::barrier::Barrier;
use crate::cli::RunArgs;
use crate::events::{CampaignStep, Event};
use crate::probe::ProbeRun;
use crate::run_context::RunContext;

/// Shared state of all runs of a job.
pub struct Runs<'a> {
    pub args: &'a RunArgs,
    pub context: &'a RunContext<'a>,
    pub job: &'a Job,
    pub store: &'a dyn Store,
    pub server: &'a ServerAddress,
    pub title: String,
    pub id: RunId,
    /// Barrier at which phases of a campaign wait for the other agents.
    pub barrier: Option<&'a Barrier>,
    /// The probe that is measured next, if the runs are probes of a search.
    pub probe: Option<ProbeRun<'a>>,
}

impl Runs<'_> {
    /// Reports a step to the serving process.
    pub fn campaign(&self, step: CampaignStep) {
        self.context.display.event(Event::Campaign(step));
    }
}
