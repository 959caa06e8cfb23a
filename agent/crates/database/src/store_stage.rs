//! The connections of one stage, whichever the driver.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use measure::series::{Workload, WorkloadError};
use runner::{Session, Target};
use workloads::job::{Part, Stage};

use crate::command::Command;
use crate::connection::Server;
use crate::objects::Objects;
use crate::protocol::Protocol;
use crate::redis_target::share;
use crate::server_session::ServerSession;
use crate::stage::{self, Settings};

/// What ends a stage, in the words of a driver.
#[derive(Debug, Clone, Copy)]
pub struct Fatal {
    /// Begins of refusals after which nothing that is written can succeed any more.
    pub begins: &'static [&'static str],
    /// What to look at then.
    pub look_at: &'static str,
}

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
}

/// A stage over objects on the server that `server` describes; `name` is what people call it.
///
/// # Errors
/// Where a rate or a law cannot be carried out.
pub fn prepared<P: Protocol + Sync>(
    stage: &Stage,
    settings: &Settings,
    objects: Objects,
    (name, grown, fatal): (String, &Grown, Fatal),
    server: impl FnOnce(Arc<Objects>) -> Server<P>,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let objects = objects.of_part(stage.part, grown.own.load(Ordering::Acquire));
    let connections = usize::try_from(stage.connections).unwrap_or(usize::MAX);
    let prepared = stage::prepared(stage, settings, objects, |objects, threads| StoreStage {
        server: server(objects),
        connections,
        threads,
        name,
        part: stage.part,
        grown: grown.clone(),
        fatal,
    })?;
    Ok(Box::new(prepared))
}

struct StoreStage<P: Protocol> {
    server: Server<P>,
    connections: usize,
    threads: usize,
    name: String,
    part: Part,
    grown: Grown,
    fatal: Fatal,
}

impl<P: Protocol + Sync> Target for StoreStage<P> {
    type Command = Command;

    fn open(&self, thread: usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> {
        let connections = share(self.connections, self.threads, thread);
        Ok(Box::new(ServerSession::new(&self.server, connections)?))
    }

    fn lost(&self, _: &Command, _: i32, _: bool) -> Option<String> {
        let (told, Fatal { begins, look_at }) = (self.server.protocol.objects().refusal()?, &self.fatal);
        begins.iter().any(|begin| told.starts_with(begin)).then(|| {
            format!("database server {} refuses operations: {told}; look at its {look_at}, then run again", self.name)
        })
    }

    fn clear(&self) -> Option<String> {
        let objects = self.server.protocol.objects();
        let grown = if self.part.is_alone() { &self.grown.count } else { &self.grown.own };
        grown.fetch_max(objects.taken_since(self.part), Ordering::AcqRel);
        let told = objects.refusal()?;
        Some(format!("database server {} refused operations, the first with: {told}", self.name))
    }
}
