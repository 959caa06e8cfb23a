//! The runs of a job, and what they share.

use database::store::{ServerAddress, Store};
use wire::messages::RunId;
use workloads::job::Job;

use crate::barrier::Barrier;
use crate::cli::RunArgs;
use crate::events::{CampaignStep, Event};
use crate::probe::ProbeOf;
use crate::station::Station;

/// All runs of a job.
pub struct Runs<'a> {
    pub args: &'a RunArgs,
    pub station: &'a Station<'a>,
    pub job: &'a Job,
    pub store: &'a dyn Store,
    pub server: &'a ServerAddress,
    pub title: String,
    pub id: RunId,
    /// Where phases of a campaign wait for the other agents.
    pub barrier: Option<&'a Barrier>,
    /// Of which search the runs are probes.
    pub probe: Option<ProbeOf<'a>>,
}

impl Runs<'_> {
    /// Report progress to the serving process.
    pub fn campaign(&self, step: CampaignStep) {
        self.station.display.event(Event::Campaign(step));
    }
}
