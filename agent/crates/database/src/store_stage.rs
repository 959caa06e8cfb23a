//! The workload of a stage on a server, for all drivers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use measure::series::WorkloadError;
use runner::{Session, Target, Warning};
use workloads::job::Part;

use crate::command::Command;
use crate::connection::Server;
use crate::objects::Objects;
use crate::protocol::Protocol;
use crate::server_session::ServerSession;
use crate::stage::share;

#[derive(Debug, Clone)]
pub struct ObjectCount {
    /// Number of all objects if a single agent inserts; otherwise of the objects before the first insert.
    pub count: Arc<AtomicU64>,
    /// Number of inserts of this agent, if several agents insert.
    pub own: Arc<AtomicU64>,
}

impl ObjectCount {
    /// Returns a count without inserts.
    pub fn new(count: u64) -> Self {
        Self { count: Arc::new(AtomicU64::new(count)), own: Arc::default() }
    }

    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    pub fn set(&self, count: u64) {
        self.count.store(count, Ordering::Release);
    }
}

/// A function that opens the given number of connections for one thread.
pub type Connect = Box<dyn Fn(usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> + Send + Sync>;

/// Returns a function that opens connections to one server.
pub fn to_server<P: Protocol + Sync>(server: Server<P>) -> Connect {
    Box::new(move |connections| Ok(Box::new(ServerSession::new(&server, connections)?)))
}

/// The sessions of a stage over objects on a server.
pub struct StoreStage {
    pub connect: Connect,
    pub objects: Arc<Objects>,
    pub connections: usize,
    pub threads: usize,
    pub name: String,
    pub part: Part,
    pub object_count: ObjectCount,
    /// Settings of the server to check after a fatal refusal.
    pub checklist: &'static str,
}

impl Target for StoreStage {
    type Command = Command;

    fn open(&self, thread: usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> {
        (self.connect)(share(self.connections, self.threads, thread))
    }

    fn lost(&self, _: &Command, _: i32, _: bool) -> Option<String> {
        let (refusal, Self { name, checklist, .. }) = (self.objects.reports.fatal_refusal()?, self);
        Some(format!("database server {name} refuses operations: {refusal}; look at its {checklist}, then run again"))
    }

    fn finish(&self) -> Result<(), Warning> {
        let object_count = if self.part.is_alone() { &self.object_count.count } else { &self.object_count.own };
        object_count.fetch_max(self.objects.taken_since(self.part), Ordering::AcqRel);
        let refused = self
            .objects
            .reports
            .refusal()
            .map(|refusal| format!("database server {} refused operations, the first with: {refusal}", self.name));
        let redirected = Some(self.objects.reports.redirections()).filter(|count| *count > 0).map(|count| {
            format!("{count} commands met another node of the cluster and were sent again; their latency spans both")
        });
        let sentences: Vec<String> = refused.into_iter().chain(redirected).collect();
        if sentences.is_empty() { Ok(()) } else { Err(Warning(sentences.join("; "))) }
    }
}
