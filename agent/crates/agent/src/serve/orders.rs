//! Execution of the backend's orders, as far as the policy of this machine allows.

use std::fs;
use std::time::Instant;

use measure::clock::{unix_time, whole_ns};
use serde_json::json;
use workloads::plan::Plan;

use super::Server;
use super::clock::SAMPLES;
use super::command::{Command, Order, Signed, verified};
use super::job::{Job, Step, arguments_of};
use super::policy::Policy;
use super::search::{self, SearchOrder};
use crate::barrier::{BarrierMessage, monotonic_ns};
use crate::failure::Failure;
use crate::local_plan::LocalPlan;

const MOST_REFUSALS: usize = 20;
const MOST_PLAN_BYTES: usize = 256 << 10;

impl Server {
    /// Verifies and follows a command, or reports why it was refused.
    pub(super) fn follow(&mut self, signed: &Signed) -> Result<(), Failure> {
        let now = self.clock.unix_ns_at(Instant::now());
        let verified_command =
            verified(signed, &self.public_key, &self.identity.agent_id, self.identity.last_command, now);
        let command = match verified_command {
            Ok(command) => command,
            Err(sentence) => {
                self.refuse(None, &sentence);
                return Ok(());
            }
        };
        // Stored before the command is followed, so that it is followed at most once.
        self.identity.last_command = command.number;
        self.folder.keep(&self.identity)?;
        if let Err(sentence) = self.carry_out(&command) {
            self.refuse(Some(&command), &sentence);
        }
        Ok(())
    }

    fn refuse(&mut self, command: Option<&Command>, sentence: &str) {
        eprintln!("tailroom-agent: {sentence}");
        self.refusals.truncate(MOST_REFUSALS);
        self.refusals.push_back(json!({
            "campaign_id": command.map(|command| &command.campaign_id), "sentence": sentence,
        }));
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        let status = self.job.as_mut().map(Job::status);
        let is_current = status.as_ref().is_some_and(|status| status.campaign_id == command.campaign_id);
        let waits_at = |expected: Step| status.as_ref().is_some_and(|status| status.step == expected);
        let waits_in = |expected: usize| status.as_ref().is_some_and(|status| status.phase == Some(expected));
        let message = match &command.order {
            Order::Prepare { .. } if is_current => None,
            Order::Prepare { .. } if status.is_some() => {
                return Err("This agent works for another campaign; wait until that has ended.".to_owned());
            }
            Order::Prepare { .. } => return self.prepare(command),
            Order::Stop { reason } => {
                if let Some(job) = self.job.as_mut().filter(|_| is_current) {
                    if !job.is_over() {
                        eprintln!("tailroom-agent: the job of the campaign ends: {reason}");
                    }
                    job.stop();
                }
                None
            }
            _ if !is_current => return Err("This agent has no job of that campaign.".to_owned()),
            Order::Objects => waits_at(Step::Ready).then_some(BarrierMessage::Objects),
            Order::Start { phase, at_unix_ns } => {
                Policy::read(&self.policy)?.allows_now(unix_time().as_secs())?;
                let at = self.clock.instant_of(*at_unix_ns).ok_or("The backend's clock is not known yet.")?;
                let error = self.clock.error_at(at).unwrap_or_default();
                let is_new = self.job.as_ref().is_some_and(|job| job.started != Some(*phase));
                (waits_at(Step::Armed) && waits_in(*phase) && is_new).then(|| BarrierMessage::Start {
                    monotonic_ns: monotonic_ns(at),
                    unix_ns: *at_unix_ns,
                    error_ns: whole_ns(error),
                })
            }
            Order::Probe { phase, slices } => {
                (waits_at(Step::Measured) && waits_in(*phase)).then(|| BarrierMessage::Probe { slices: slices.clone() })
            }
        };
        if let (Some(job), Some(message)) = (&mut self.job, message) {
            job.send(&message);
        }
        Ok(())
    }

    fn prepare(&mut self, command: &Command) -> Result<(), String> {
        let Order::Prepare { title, plan, target, seed, agents, agent, search } = &command.order else { return Ok(()) };
        if plan.len() > MOST_PLAN_BYTES {
            return Err(format!("The plan has more than {MOST_PLAN_BYTES} bytes."));
        }
        let policy = Policy::read(&self.policy)?;
        policy.allows_now(unix_time().as_secs())?;
        let of_plan = |error: &dyn std::fmt::Display| format!("The plan: {error}");
        let target_arguments = match LocalPlan::in_text(plan).transpose().map_err(|error| of_plan(&error))? {
            Some(LocalPlan::SyncWrite(_)) if search.is_some() => {
                return Err("Synchronous writes have no rate, so no load is sought with them.".to_owned());
            }
            Some(LocalPlan::DriveLadder(ladder)) => {
                let drives = policy.drives(target)?;
                let read = match search {
                    Some(search) => search::as_ladder(&policy, &ladder, search, (drives.len(), *agents))?,
                    None => ladder,
                };
                policy.allows_ladder(&read, drives.len())?;
                drives.iter().map(|path| format!("--drive={}", path.display())).collect()
            }
            Some(LocalPlan::SyncWrite(writes)) => {
                let folder = policy.folder(target)?;
                policy.allows_sync_write(&writes)?;
                vec![format!("--folder={}", folder.display())]
            }
            None => {
                let allowed = policy.target(target)?;
                let parsed = Plan::parse(plan).map_err(|error| of_plan(&error))?;
                if let Some(search) = search {
                    search::allowed(&policy, &parsed, search, (*agent, *agents))?;
                } else {
                    let part = parsed.part(*agent, *agents).map_err(|error| of_plan(&error))?;
                    policy.allows(&part)?;
                }
                std::iter::once(format!("--target={target}")).chain(allowed.arguments()).collect::<Vec<_>>()
            }
        };
        let path = self.folder.join("campaign.plan");
        fs::write(&path, plan).map_err(|error| format!("{}: {error}", path.display()))?;
        self.sample(SAMPLES);
        let mut arguments = self.delivery();
        arguments.extend([format!("--seed={seed}"), format!("--agents={agents}"), format!("--agent={agent}")]);
        arguments.extend(target_arguments);
        arguments.extend(search.iter().flat_map(SearchOrder::arguments));
        if let Some(search) = search.as_ref().filter(|search| !search.measured.is_empty()) {
            let path = self.folder.join("campaign.probes.json");
            fs::write(&path, json!(search.measured).to_string())
                .map_err(|error| format!("{}: {error}", path.display()))?;
            arguments.push(format!("--on-record={}", path.display()));
        }
        let subcommand = if search.is_some() { "seek" } else { "run" };
        let arguments = arguments_of(subcommand, arguments, &command.campaign_id, title, &path);
        self.job = Some(Job::start(&command.campaign_id, &arguments)?);
        Ok(())
    }
}
