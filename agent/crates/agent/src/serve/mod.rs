//! `tailroom-agent serve`: asks the backend for work, and does what the policy of this machine allows.
//!
//! The backend never reaches in: the agent asks, waits up to an hour for an answer, in which something comes every 40 s,
//! and asks again. While a job goes on it asks each second, which is also how the backend knows that it is
//! there.

pub mod clock;
mod command;
mod identity;
mod job;
mod policy;

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, ExitCode, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use workloads::plan::Plan;

use crate::agent_key::NewKey;
use crate::barrier::{Go, monotonic_ns};
use crate::cli::{BackendArgs, EnrolArgs, ServeArgs};
use crate::failure::Failure;
use crate::inventory;
use crate::station::spool_folder;
use crate::stop::{Stop, on_signals};
use crate::transport::{Refusal, Transport};
use crate::version;

use clock::{SAMPLES, ServerClock};
use command::{Command, Order, Signed, verified};
use identity::{Folder, Identity};
use job::{Job, Start, Status, Step};
use policy::{DEFAULT_PLACE, Policy};

/// The backend may keep a question of an idle agent for so long; the second where it knows of blanks before an answer.
const IDLE_WAIT_S: u64 = 20;
const LONGEST_WAIT_S: u64 = 3_600;
/// A backend that says nothing for so long is away.
const LONGEST_SILENCE: Duration = Duration::from_secs(100);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Between two questions while a job waits for others, or measures.
const BRISK: Duration = Duration::from_millis(250);
const CALM: Duration = Duration::from_secs(1);
/// A job whose backend is away goes on for so long.
const ORPHAN_GRACE: Duration = Duration::from_secs(10);
/// The clock is compared anew so often while a job goes on.
const CLOCK_EVERY: Duration = Duration::from_secs(5);
const DRAIN_EVERY: Duration = Duration::from_secs(30);
const MOST_REFUSALS: usize = 20;
const MOST_PLAN_BYTES: usize = 256 << 10;
const POLL: &str = "/api/v1/agent/poll";

/// Makes this machine an agent of a backend, by a code that is good once.
///
/// # Errors
/// See [`Failure`].
pub fn enrol(args: &EnrolArgs) -> Result<ExitCode, Failure> {
    let folder = Folder::of(args.state.as_deref())?;
    if folder.is_enrolled() && !args.again {
        return Err(Failure::Usage(format!(
            "this machine enrolled before ({}); to enrol again add --again",
            folder.join("agent.json").display()
        )));
    }
    folder.make()?;
    let name = args.name.clone().unwrap_or_else(inventory::hostname);
    let transport = Transport::without_token(&args.backend)?;
    let pair = NewKey::make()?;
    let body = json!({
        "code": args.code, "name": name, "version": version::agent_version(), "inventory": inventory::inventory(&[]),
        "public_key": pair.public_text(),
    });
    let answer =
        transport.call("/api/v1/agents", &body, ANSWER_TIMEOUT).map_err(|refusal| Failure::Usage(refusal.sentence))?;
    let text = |field: &str| {
        answer[field].as_str().map(str::to_owned).ok_or_else(|| {
            Failure::Usage(format!("{}: the answer has no {field}; is it a tailroom backend?", transport.base_url()))
        })
    };
    let identity = Identity {
        backend: transport.base_url().to_owned(),
        ca_file: args.backend.ca_file.clone(),
        allow_plain_http: args.backend.allow_plain_http,
        agent_id: text("agent_id")?,
        name: name.clone(),
        public_key: text("public_key")?,
        last_command: 0,
    };
    folder.enrolled(&identity, &pair.of(&text("credential_id")?)?)?;
    println!(
        "Enrolled as {name}. Say in {DEFAULT_PLACE} what campaigns may do here, then start `tailroom-agent serve`."
    );
    Ok(ExitCode::SUCCESS)
}

/// Serves until it is ended.
///
/// # Errors
/// See [`Failure`].
pub fn serve(args: &ServeArgs) -> Result<ExitCode, Failure> {
    let folder = Folder::of(args.state.as_deref())?;
    let identity = folder.identity()?;
    let public_key = STANDARD
        .decode(&identity.public_key)
        .map_err(|error| Failure::Usage(format!("agent.json: public_key: {error}; enrol again")))?;
    let backend = BackendArgs {
        backend: Some(identity.backend.clone()),
        token_file: Some(folder.credential_file()),
        ca_file: identity.ca_file.clone(),
        allow_plain_http: identity.allow_plain_http,
    };
    let transport = Transport::from_args(&backend)?
        .ok_or_else(|| Failure::Usage("agent.json names no backend; enrol again".to_owned()))?;
    let policy = args.policy.clone().unwrap_or_else(|| DEFAULT_PLACE.into());
    if let Err(sentence) = Policy::read(&policy) {
        eprintln!("tailroom-agent: {sentence}. Until then every command is refused.");
    }
    let spool = spool_folder(&args.spool)?;
    let stop = Arc::new(Stop::default());
    let signals = on_signals(&stop)?;
    thread::spawn(move || {
        if signals.recv().is_ok() {
            // A job ends when its standard input does; what it measured is in the spool.
            thread::sleep(Duration::from_secs(5));
            std::process::exit(0);
        }
    });
    let mut server = Server {
        folder,
        identity,
        public_key,
        transport: Arc::new(transport),
        policy,
        spool,
        clock: ServerClock::default(),
        clock_at: None,
        job: None,
        drain: None,
        drained_at: None,
        refusals: VecDeque::new(),
        reached_at: Instant::now(),
        is_away: false,
        told_inventory: None,
        said_clock: false,
    };
    println!("Serving {} as {}.", server.identity.backend, server.identity.name);
    while !stop.flag().is_stopped() {
        server.turn()?;
    }
    if let Some(job) = &mut server.job {
        job.stop();
        let until = Instant::now() + Duration::from_secs(4);
        while !job.is_over() && Instant::now() < until {
            thread::sleep(Duration::from_millis(50));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What the backend answers to a question for work.
#[derive(Debug, Deserialize)]
struct Answer {
    commands: Vec<Signed>,
}

struct Server {
    folder: Folder,
    identity: Identity,
    public_key: Vec<u8>,
    transport: Arc<Transport>,
    policy: PathBuf,
    spool: PathBuf,
    clock: ServerClock,
    clock_at: Option<Instant>,
    job: Option<Job>,
    /// Delivers what an earlier job left.
    drain: Option<Child>,
    drained_at: Option<Instant>,
    refusals: VecDeque<Value>,
    reached_at: Instant,
    is_away: bool,
    told_inventory: Option<Instant>,
    /// It was said that the clocks are far apart.
    said_clock: bool,
}

impl Server {
    /// One question and what follows from its answer.
    fn turn(&mut self) -> Result<(), Failure> {
        let begun = Instant::now();
        self.compare_clocks();
        let status = self.job.as_mut().map(Job::status);
        let pace = match &status {
            None => None,
            Some(status) if status.step == Step::Running => Some(CALM),
            Some(_) => Some(BRISK),
        };
        let is_idle = pace.is_none() && self.drain.is_none() && self.refusals.is_empty() && !self.wants_drain();
        let wait_s = if is_idle { IDLE_WAIT_S } else { 0 };
        let tells_inventory = self.told_inventory.is_none_or(|at| at.elapsed() > Duration::from_secs(3_600));
        let body = self.question(status.as_ref(), wait_s, tells_inventory);
        let answer = if is_idle {
            self.wait(body)
        } else {
            let timeout = if pace.is_some() { Duration::from_secs(3) } else { ANSWER_TIMEOUT };
            self.transport.call(POLL, &body, timeout)
        };
        match answer {
            Ok(answer) => {
                if std::mem::take(&mut self.is_away) {
                    eprintln!("tailroom-agent: the backend is there again");
                }
                self.reached_at = Instant::now();
                self.refusals.clear();
                if tells_inventory {
                    self.told_inventory = Some(Instant::now());
                }
                let answer: Answer = serde_json::from_value(answer).unwrap_or(Answer { commands: Vec::new() });
                if is_idle && !answer.commands.is_empty() {
                    // The clocks may have gone apart meanwhile.
                    self.sample(1);
                }
                for signed in &answer.commands {
                    self.follow(signed)?;
                }
                self.after_answer(status.as_ref());
            }
            Err(refusal) => {
                if refusal.is_final {
                    if let Some(job) = &mut self.job {
                        job.stop();
                    }
                    return Err(Failure::Usage(self.for_a_person(&refusal)));
                }
                if !std::mem::replace(&mut self.is_away, true) {
                    eprintln!("tailroom-agent: {}", refusal.sentence);
                }
                if self.reached_at.elapsed() > ORPHAN_GRACE
                    && let Some(job) = &mut self.job
                    && !job.is_over()
                {
                    eprintln!(
                        "tailroom-agent: no answer from the backend for {} s: the job ends",
                        ORPHAN_GRACE.as_secs()
                    );
                    job.stop();
                }
                if pace.is_none() {
                    thread::sleep(CALM * 2);
                }
            }
        }
        if let Some(pace) = pace {
            thread::sleep(pace.saturating_sub(begun.elapsed()));
        } else if wait_s == 0 {
            thread::sleep(BRISK);
        }
        Ok(())
    }

    /// Asks without a job, and waits for an answer as long as something of it comes; what lies in the spool is
    /// delivered meanwhile.
    fn wait(&mut self, body: Value) -> Result<Value, Refusal> {
        let (tell, heard) = mpsc::channel();
        let transport = Arc::clone(&self.transport);
        // In a thread of its own, because reading cannot be ended by silence alone.
        thread::spawn(move || {
            let timeout = ANSWER_TIMEOUT + Duration::from_secs(LONGEST_WAIT_S);
            let noted = || drop(tell.send(None));
            let answer = transport.call_noting(POLL, &body, timeout, &noted);
            drop(tell.send(Some(answer)));
        });
        loop {
            match heard.recv_timeout(LONGEST_SILENCE) {
                Ok(Some(answer)) => return answer,
                Ok(None) => self.after_answer(None),
                Err(_) => {
                    let seconds = LONGEST_SILENCE.as_secs();
                    return Err(Refusal {
                        sentence: format!("{}: no answer for {seconds} s", self.identity.backend),
                        is_final: false,
                        is_unknown_token: false,
                    });
                }
            }
        }
    }

    /// What was refused for good, with what helps where the token is none of an agent (any more).
    fn for_a_person(&self, refusal: &Refusal) -> String {
        if !refusal.is_unknown_token {
            return refusal.sentence.clone();
        }
        format!(
            "{}. This machine is no longer an agent of {}: its key or token was revoked. Remove it there under Agents, make a \
             code, and enrol it again: `tailroom-agent enrol --again --backend {} --code CODE`",
            refusal.sentence.trim_end_matches('.'),
            self.identity.backend,
            self.identity.backend
        )
    }

    fn question(&self, status: Option<&Status>, wait_s: u64, tells_inventory: bool) -> Value {
        let now = Instant::now();
        let ahead = self.ahead_ns();
        json!({
            "version": version::agent_version(),
            "inventory": tells_inventory.then(|| inventory::inventory(&[])),
            "wait_s": wait_s,
            "longest_wait_s": if wait_s > 0 { LONGEST_WAIT_S } else { 0 },
            "clock_error_ns": self.clock.error_at(now).map(|error| u64::try_from(error.as_nanos()).unwrap_or(u64::MAX)),
            "wall_clock_ahead_ns": ahead,
            "job": status,
            "refusals": self.refusals,
        })
    }

    /// How far the clock of this machine is ahead of the backend's.
    fn ahead_ns(&self) -> Option<i64> {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let unix_ns = self.clock.unix_ns_at(Instant::now())?;
        let apart = i128::try_from(wall).unwrap_or(i128::MAX) - i128::from(unix_ns);
        Some(i64::try_from(apart).unwrap_or(i64::MAX))
    }

    /// The backend has heard the status: a job that is over is put away.
    fn after_answer(&mut self, told: Option<&Status>) {
        if told.is_some_and(|status| matches!(status.step, Step::Ended | Step::Failed))
            && self.job.as_mut().is_some_and(Job::is_over)
        {
            self.job = None;
        }
        if let Some(drain) = &mut self.drain {
            if !matches!(drain.try_wait(), Ok(None)) {
                self.drain = None;
            }
        } else if self.wants_drain() {
            self.drained_at = Some(Instant::now());
            self.drain = self.begin_drain();
        }
    }

    /// Whether something of an earlier job is still to be delivered; what cannot be is tried again later.
    fn wants_drain(&self) -> bool {
        self.job.is_none() && self.drained_at.is_none_or(|at| at.elapsed() > DRAIN_EVERY) && has_runs(&self.spool)
    }

    fn begin_drain(&self) -> Option<Child> {
        let program = std::env::current_exe().ok()?;
        let mut command = Process::new(program);
        command.arg("drain").args(self.delivery()).args(["--deliver-wait-s", "5"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().ok()
    }

    /// Where and as whom results are sent.
    fn delivery(&self) -> Vec<String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let mut arguments = vec![
            "--backend".to_owned(),
            self.identity.backend.clone(),
            "--token-file".to_owned(),
            text(&self.folder.credential_file()),
            "--spool".to_owned(),
            text(&self.spool),
        ];
        if let Some(path) = &self.identity.ca_file {
            arguments.extend(["--ca-file".to_owned(), text(path)]);
        }
        if self.identity.allow_plain_http {
            arguments.push("--allow-plain-http".to_owned());
        }
        arguments
    }

    /// Asks for the time: often when a job begins, now and then while it goes on, and once when idle.
    fn compare_clocks(&mut self) {
        let due = match (&self.job, self.clock_at) {
            (_, None) => 1,
            (Some(_), Some(at)) if at.elapsed() > CLOCK_EVERY => 3,
            (None, Some(at)) if at.elapsed() > Duration::from_secs(60) => 1,
            _ => return,
        };
        self.sample(due);
    }

    fn sample(&mut self, times: usize) {
        for _ in 0..times {
            let sent = Instant::now();
            match self.transport.time(Duration::from_secs(2)) {
                Ok(unix_ns) => self.clock.observe(sent, Instant::now(), unix_ns),
                Err(_) => break,
            }
        }
        self.clock_at = Some(Instant::now());
        if let Some(sentence) = self.ahead_ns().and_then(far_apart).filter(|_| !self.said_clock) {
            eprintln!("tailroom-agent: {sentence}");
            self.said_clock = true;
        }
    }

    fn follow(&mut self, signed: &Signed) -> Result<(), Failure> {
        let now = self.clock.unix_ns_at(Instant::now());
        let found = verified(signed, &self.public_key, &self.identity.agent_id, self.identity.last_command, now);
        let command = match found {
            Ok(command) => command,
            Err(sentence) => {
                self.refuse(None, &sentence);
                return Ok(());
            }
        };
        // Before it is followed, so that it is followed once at most.
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
        let is_mine = status.as_ref().is_some_and(|status| status.campaign_id == command.campaign_id);
        match &command.order {
            Order::Prepare { .. } if is_mine => Ok(()),
            Order::Prepare { .. } if status.is_some() => {
                Err("This agent works for another campaign; wait until that has ended.".to_owned())
            }
            Order::Prepare { .. } => self.prepare(command),
            Order::Stop { reason } => {
                if let Some(job) = self.job.as_mut().filter(|_| is_mine) {
                    if !job.is_over() {
                        eprintln!("tailroom-agent: the campaign ends here: {reason}");
                    }
                    job.stop();
                }
                Ok(())
            }
            Order::Objects | Order::Start { .. } if !is_mine => {
                Err("This agent has no job of that campaign.".to_owned())
            }
            Order::Objects => {
                let is_ready = status.as_ref().is_some_and(|status| status.step == Step::Ready);
                if let Some(job) = self.job.as_mut().filter(|_| is_ready) {
                    job.go(Go::Objects);
                }
                Ok(())
            }
            Order::Start { phase, at_unix_ns } => {
                self.allowed_now()?;
                let at = self.clock.instant_of(*at_unix_ns).ok_or("The backend's clock is not known yet.")?;
                let error = self.clock.error_at(at).unwrap_or_default();
                let is_armed = status.is_some_and(|status| status.step == Step::Armed && status.phase == Some(*phase));
                if let Some(job) = self.job.as_mut().filter(|job| is_armed && job.started != Some(*phase)) {
                    job.go(Go::Start {
                        monotonic_ns: monotonic_ns(at),
                        unix_ns: *at_unix_ns,
                        error_ns: u64::try_from(error.as_nanos()).unwrap_or(u64::MAX),
                    });
                }
                Ok(())
            }
        }
    }

    fn allowed_now(&self) -> Result<(), String> {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Policy::read(&self.policy)?.allows_now(wall.as_secs())
    }

    fn prepare(&mut self, command: &Command) -> Result<(), String> {
        let Order::Prepare { title, plan, target, seed, agents, agent } = &command.order else { return Ok(()) };
        if plan.len() > MOST_PLAN_BYTES {
            return Err(format!("The plan has more than {MOST_PLAN_BYTES} bytes."));
        }
        let policy = Policy::read(&self.policy)?;
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        policy.allows_now(wall.as_secs())?;
        let allowed = policy.target(target)?;
        let part = Plan::parse(plan).and_then(|plan| plan.part(*agent, *agents));
        policy.allows(&part.map_err(|error| format!("The plan: {error}"))?)?;
        let path = self.folder.join("campaign.plan");
        fs::write(&path, plan).map_err(|error| format!("{}: {error}", path.display()))?;
        self.sample(SAMPLES);
        let mut arguments = self.delivery();
        let pairs = [("--seed", seed.to_string()), ("--agents", agents.to_string()), ("--agent", agent.to_string())];
        arguments.extend(["--target".to_owned(), target.clone()]);
        arguments.extend(pairs.into_iter().flat_map(|(name, value)| [name.to_owned(), value]));
        arguments.extend(allowed.arguments());
        let start = Start { campaign_id: &command.campaign_id, title, plan: &path, arguments };
        self.job = Some(Job::start(&start)?);
        Ok(())
    }
}

/// What follows from a clock that is minutes off; below, nobody has to do anything.
fn far_apart(ahead_ns: i64) -> Option<String> {
    let (minutes, word) = (ahead_ns.abs() / 60_000_000_000, if ahead_ns > 0 { "ahead of" } else { "behind" });
    (minutes > 0).then(|| {
        format!(
            "the clock of this machine is {} h {} min {word} the backend's. Campaigns begin by the backend's clock all \
             the same; `hours_utc` of the policy follows this machine's. Set it right (`timedatectl set-ntp true`).",
            minutes / 60,
            minutes % 60
        )
    })
}

/// Whether something lies in the spool.
fn has_runs(spool: &Path) -> bool {
    fs::read_dir(spool).is_ok_and(|mut entries| entries.any(|entry| entry.is_ok_and(|entry| entry.path().is_dir())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_hours_off_is_named_and_a_second_is_not() {
        let hour_ns = 3_600_000_000_000;
        assert!(far_apart(3 * hour_ns).expect("a sentence").contains("3 h 0 min ahead of the backend's"));
        assert!(far_apart(-hour_ns / 2).expect("a sentence").contains("0 h 30 min behind the backend's"));
        assert_eq!(far_apart(1_000_000_000), None);
    }
}
