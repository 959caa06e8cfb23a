//! The part of one of several agents: its rates, connections and operations, divided as `explain` shows.
//!
//! Each agent loads a contiguous range. Later inserts are striped: agent i of A inserts every A-th key after the loaded keys,
//! starting with the i-th. It reads the loaded keys and its own inserts, so no agent needs to know the progress of the others.

use crate::error::{PlanError, check_agents};
use crate::explanation::{AgentPart, Explanation, edge};
use crate::job::{Job, Operation, Part, Purpose, Stage, Stream};
use crate::rate::Rate;

/// Returns the part of agent number `agent` (from 0) of a job for a single agent. `explanation` is that for all agents.
pub(crate) fn part_of(job: Job, explanation: Explanation, agent: u32, agents: u32) -> Result<Job, PlanError> {
    check_agents(agents)?;
    if agent >= agents {
        return Err(PlanError::field("agent", format!("is {agent}; the first of {agents} agents is 0")));
    }
    let stage = |(number, stage): (usize, Stage)| {
        let index = usize::try_from(agent).unwrap_or(usize::MAX);
        let part = explanation.phases.get(number).and_then(|phase| phase.by_agent.get(index));
        let part = part.ok_or_else(|| PlanError::field("agents", "the phase has no part for this agent"))?;
        Ok(divided(stage, part, agent, agents))
    };
    let stages = job.stages.into_iter().enumerate().map(stage).collect::<Result<Vec<_>, _>>()?;
    Ok(Job { explanation, objects: job.objects, stages })
}

/// Returns the part of a stage for one agent. `explain` has checked that each part has work.
fn divided(stage: Stage, part: &AgentPart, agent: u32, agents: u32) -> Stage {
    let edge = |count: u64, agent: u32| edge(count, agent, agents);
    let mut streams = Vec::new();
    for stream in stage.streams {
        match stream {
            Stream::Operations { per_s, kinds, cycle } => {
                let rate_of_agent = |(operation, _): &(Operation, f64)| {
                    part.operations_per_s.get(operation.name()).copied().flatten().map_or(0.0, Rate::per_s)
                };
                let per_s = per_s.map(|_| kinds.iter().map(rate_of_agent).sum::<f64>());
                if per_s != Some(0.0) {
                    streams.push(Stream::Operations { per_s, kinds, cycle });
                }
            }
            Stream::Transactions { reads, batch, fan_out, scheduling, window_ns, .. } => {
                let per_s = part.transactions_per_s.map_or(0.0, Rate::per_s);
                if per_s > 0.0 {
                    streams.push(Stream::Transactions { per_s, reads, batch, fan_out, scheduling, window_ns });
                }
            }
        }
    }
    let operations = stage.operations.map(|count| edge(count, agent + 1) - edge(count, agent));
    let load_from =
        if stage.purpose == Purpose::Load { stage.operations.map_or(0, |count| edge(count, agent)) } else { 0 };
    let part_of = Part { agent: agent.into(), agents: agents.into() };
    Stage { connections: part.connections, operations, load_from, part: part_of, streams, ..stage }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;

    fn rates(text: &str, agents: u32) -> Vec<(f64, u64, Option<u64>)> {
        let plan = Plan::parse(text).expect("a plan");
        let of = |agent| {
            let job = plan.part(agent, agents).expect("a part");
            let stage = job.stages.last().expect("a stage").clone();
            let per_s = |stream: &Stream| match stream {
                Stream::Operations { per_s, .. } => per_s.unwrap_or(0.0),
                Stream::Transactions { per_s, reads, .. } => per_s * f64::from(*reads),
            };
            (stage.streams.iter().map(per_s).sum(), stage.connections, stage.operations)
        };
        (0..agents).map(of).collect()
    }

    #[test]
    fn parts_add_up_to_the_plan() {
        let keyvalue =
            "workload = \"keyvalue\"\n[keyvalue]\nrate_per_s = 1000\nratio = \"1:4\"\nconnections = 8\nmeasure_s = 5\n";
        let parts = rates(keyvalue, 3);
        assert!((parts.iter().map(|part| part.0).sum::<f64>() - 1000.0).abs() < 1e-6, "{parts:?}");
        assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), 8);
        let fraud = "workload = \"fraud\"\n[fraud]\nfactor = 0.00125\nobjects = 100\nreads_per_transaction = 25\n";
        let parts = rates(fraud, 3);
        assert!((parts.iter().map(|part| part.0).sum::<f64>() - 4375.0).abs() < 1e-6, "{parts:?}");
        let ycsb = "recordcount=1000\noperationcount=1000\nreadproportion=0.5\nupdateproportion=0.5\nthreadcount=4\n";
        let parts = rates(ycsb, 3);
        assert_eq!(parts.iter().filter_map(|part| part.2).sum::<u64>(), 1000);
    }

    #[test]
    fn each_loads_the_range_and_inserts_the_stripe_that_are_explained() {
        let text = "recordcount=1000\noperationcount=1000\nreadproportion=0.95\nupdateproportion=0\ninsertproportion=0.05\n\
                    threadcount=4\n";
        let plan = Plan::parse(text).expect("a plan");
        let explained = plan.explain(Some(3)).expect("explained");
        for (agent, stripe) in [(0, [1000, 1003]), (2, [1002, 1005])] {
            let job = plan.part(agent, 3).expect("a part");
            let (first, end) = explained.dataset.ranges[agent as usize];
            assert_eq!((job.stages[0].load_from, job.stages[0].operations), (first, Some(end - first)));
            let Some(inserts) = explained.phases[1].by_agent[agent as usize].inserts else { panic!("it inserts") };
            assert_eq!([inserts.first, inserts.first + inserts.every], stripe);
            assert_eq!(job.stages[1].part, Part { agent: agent.into(), agents: 3 });
        }
        assert!(explained.phases[0].by_agent[0].inserts.is_none());
    }

    #[test]
    fn what_several_agents_cannot_do_is_refused() {
        let refused =
            |text: &str, agents| Plan::parse(text).expect("a plan").part(0, agents).expect_err("refused").to_string();
        let few = "workload = \"keyvalue\"\n[keyvalue]\nrate_per_s = 1000\nconnections = 2\nload = false\n";
        let refusal = refused(few, 3);
        assert!(refusal.contains("between the number of agents and"), "{refusal}");
    }
}
