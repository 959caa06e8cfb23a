//! One stage of a job as a run of its own: its disclosed plan, and its start in a campaign.

use database::stage::{self, Settings};
use database::store::{self, ServerAddress, Store};
use measure::series::{StopFlag, Workload, WorkloadError};
use serde_json::{Value, json};
use wire::messages::{RunId, WorkloadKind};
use workloads::job::{Job, Stage, Stream};

use crate::plan::{Measurable, RunFacts};

pub(super) struct StageRun<'a> {
    pub(super) server: &'a ServerAddress,
    pub(super) store: &'a dyn Store,
    pub(super) job: &'a Job,
    /// Index of the stage in the job.
    pub(super) number: usize,
    /// Identifier that the runs of a job share.
    pub(super) id: RunId,
    pub(super) title: String,
    /// Seed of the objects.
    pub(super) seed: u64,
    pub(super) settings: Settings,
    pub(super) is_reused: bool,
}

impl StageRun<'_> {
    fn stage(&self) -> &Stage {
        &self.job.stages[self.number]
    }

    /// Returns the facts about transactions that pages and verdicts need, under the names of `fraud-transaction`.
    fn transactions(&self) -> Value {
        let (stage, objects) = (self.stage(), &self.job.objects);
        let mut fields = json!({
            "address": self.server.address.to_string(),
            "server": self.store.facts(),
            "connections": stage.connections,
            "keys": objects.count,
            "value_bytes": objects.shape.bytes(),
        });
        for stream in &stage.streams {
            if let Stream::Transactions { per_s, reads, batch, fan_out, scheduling, window_ns } = stream {
                fields["transactions_per_s"] = json!(per_s);
                fields["window_ns"] = json!(window_ns);
                fields["scheduling"] = json!(format!("{scheduling:?}").to_lowercase());
                fields["fan_out"] = json!(fan_out);
                fields["batch"] = json!(batch);
                // A distinct name keeps proofs about sequential reads from being applied to parallel or batched ones.
                let name = if *fan_out == 1 && *batch == 1 { "reads_per_transaction" } else { "keys_per_transaction" };
                fields[name] = json!(reads);
            }
        }
        fields
    }

    fn disclosed(&self) -> Value {
        let (job, stage, server) = (self.job, self.stage(), self.server);
        let explanation = &job.explanation;
        let mut phase = json!(explanation.phases[self.number]);
        if let Some(phase) = phase.as_object_mut() {
            phase.remove("by_agent");
        }
        phase["connections"] = json!(stage.connections);
        phase["pipeline"] = json!(stage.pipeline);
        let mut plan = json!({
            "title": self.title,
            "workload": explanation.workload,
            "histogram_every_s": self.settings.ticks_per_histogram,
            "job": {
                "id": self.id.to_string(),
                "step": self.number + 1,
                "steps": job.stages.len(),
                "phase": stage.name,
                "kind": stage.purpose,
            },
            "target": {"driver": server.driver, "address": server.address.to_string(), "database": server.database,
                       "tls": server.tls.is_some()},
            "server": self.store.facts(),
            "objects": {
                "count": job.objects.count,
                "bytes": job.objects.shape.bytes(),
                "shape": job.objects.shape,
                "fingerprint": store::fingerprint(&job.objects, self.seed),
                "from_an_earlier_run": self.is_reused,
            },
            "phase": phase,
            "law": stage.distribution,
            "seed": self.seed,
            "timeout_ns": self.settings.timeout_ns,
            "differs_from_original": explanation.differs_from_original,
            "notices": explanation.notices,
        });
        if explanation.workload == "fraud" {
            plan["fraud"] = self.transactions();
        }
        plan
    }
}

impl Measurable for StageRun<'_> {
    fn facts(&self) -> RunFacts {
        RunFacts {
            title: self.title.clone(),
            workload: match self.job.explanation.workload {
                "ycsb" => WorkloadKind::Ycsb,
                "keyvalue" => WorkloadKind::Keyvalue,
                _ => WorkloadKind::Fraud,
            },
            duration_ns: stage::duration_ns(self.stage()),
            disclosed: self.disclosed(),
            paths: Vec::new(),
            is_simulated: false,
        }
    }

    fn prepare(&self, notify: &dyn Fn(&str), _: &StopFlag) -> Result<Box<dyn Workload>, WorkloadError> {
        let stage = self.stage();
        if stage.loads() {
            let objects = &self.job.objects;
            notify(&format!(
                "loading {} objects of {} B into {}",
                stage.operations.unwrap_or(objects.count),
                objects.shape.bytes(),
                self.server.address
            ));
        }
        self.store.stage(stage, &self.settings)
    }
}
