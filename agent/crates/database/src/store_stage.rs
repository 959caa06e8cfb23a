//! The connections of one stage, whichever the driver.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use measure::series::{Workload, WorkloadError};
use runner::{Session, Target, Warning};
use workloads::job::{Part, Stage};

use crate::command::Command;
use crate::connection::Server;
use crate::objects::Objects;
use crate::protocol::Protocol;
use crate::server_session::ServerSession;
use crate::stage::{self, Settings, share};

/// Inserts of a run that was cut off are looked for in steps of so many keys.
const LOOKED_FOR: u64 = 64;

/// How many objects there are by now.
#[derive(Debug, Clone)]
pub struct Grown {
    /// All of them, where one agent inserts; those that were there at first, where several do.
    pub count: Arc<AtomicU64>,
    /// What this agent inserted as one of several.
    pub own: Arc<AtomicU64>,
}

impl Grown {
    /// So many, and nothing inserted.
    pub fn new(count: u64) -> Self {
        Self { count: Arc::new(AtomicU64::new(count)), own: Arc::default() }
    }

    /// All that are known.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// There are so many.
    pub fn set(&self, count: u64) {
        self.count.store(count, Ordering::Release);
    }

    /// Goes on to the true end of the objects: a run that was cut off may have inserted more than it wrote down.
    /// `first` is the first key, `count` what was written down; `last_there` returns the last of some keys that exists.
    ///
    /// # Errors
    /// Those of `last_there`.
    pub fn find_end(
        &self,
        (first, count): (u64, u64),
        mut last_there: impl FnMut(Range<u64>) -> Result<Option<u64>, WorkloadError>,
    ) -> Result<(), WorkloadError> {
        let mut end = first + count;
        while let Some(last) = last_there(end..end + LOOKED_FOR)? {
            end = last + 1;
        }
        self.set(end - first);
        Ok(())
    }
}

/// Opens so many connections for one thread.
pub type Connect = Box<dyn Fn(usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> + Send + Sync>;

/// Connections to one server.
pub fn to_server<P: Protocol + Sync>(server: Server<P>) -> Connect {
    Box::new(move |connections| Ok(Box::new(ServerSession::new(&server, connections)?)))
}

/// A stage over objects on a server; `name` is what people call it.
///
/// # Errors
/// Where a rate or a law cannot be carried out.
pub fn prepared(
    stage: &Stage,
    settings: &Settings,
    objects: Objects,
    (name, grown, look_at): (String, &Grown, &'static str),
    connect: impl FnOnce(Arc<Objects>) -> Connect,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let objects = objects.of_part(stage.part, grown.own.load(Ordering::Acquire));
    let connections = usize::try_from(stage.connections).unwrap_or(usize::MAX);
    let prepared = stage::prepared(stage, settings, objects, |objects, threads| StoreStage {
        connect: connect(Arc::clone(&objects)),
        objects,
        connections,
        threads,
        name,
        part: stage.part,
        grown: grown.clone(),
        look_at,
    })?;
    Ok(Box::new(prepared))
}

struct StoreStage {
    connect: Connect,
    objects: Arc<Objects>,
    connections: usize,
    threads: usize,
    name: String,
    part: Part,
    grown: Grown,
    /// What a person looks at after a fatal refusal.
    look_at: &'static str,
}

impl Target for StoreStage {
    type Command = Command;

    fn open(&self, thread: usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> {
        (self.connect)(share(self.connections, self.threads, thread))
    }

    fn lost(&self, _: &Command, _: i32, _: bool) -> Option<String> {
        let (refusal, Self { name, look_at, .. }) = (self.objects.fatal_refusal()?, self);
        Some(format!("database server {name} refuses operations: {refusal}; look at its {look_at}, then run again"))
    }

    fn finish(&self) -> Result<(), Warning> {
        let grown = if self.part.is_alone() { &self.grown.count } else { &self.grown.own };
        grown.fetch_max(self.objects.taken_since(self.part), Ordering::AcqRel);
        let refused = self
            .objects
            .refusal()
            .map(|refusal| format!("database server {} refused operations, the first with: {refusal}", self.name));
        let redirected = Some(self.objects.redirections()).filter(|count| *count > 0).map(|count| {
            format!("{count} commands met another node of the cluster and were sent again; their latency spans both")
        });
        let sentences: Vec<String> = refused.into_iter().chain(redirected).collect();
        if sentences.is_empty() { Ok(()) } else { Err(Warning(sentences.join("; "))) }
    }
}
