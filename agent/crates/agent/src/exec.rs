//! `tailroom-agent exec -- TOOL …`: runs an installed tool, stores its output, and sends it as a result file while it grows.
//!
//! The result is the tool's output, byte for byte, whatever its exit code. The tool's arguments are not sent, as they may contain
//! a password.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use measure::clock::unix_time;
use serde_json::Value;

use crate::cli::ExecArgs;
use crate::failure::{Failure, NOT_DELIVERED};
use crate::stop::{Cause, on_signals, terminate};
use crate::transport::Transport;

const CHECK_EVERY: Duration = Duration::from_millis(100);
/// How long the agent waits until a worker has read a large file.
const READING_TIMEOUT: Duration = Duration::from_secs(60);

pub fn exec(args: &ExecArgs) -> Result<ExitCode, Failure> {
    let (tool, arguments) =
        args.command.split_first().ok_or_else(|| Failure::Usage("name the tool behind --".to_owned()))?;
    let log = args.log.clone().unwrap_or_else(|| log_of(tool));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&log)
        .map_err(|error| Failure::Usage(format!("--log {}: {error}; choose another file", log.display())))?;
    let transport = args.backend.backend.as_ref().map(|_| Transport::for_uploads(&args.backend)).transpose()?;
    let (stop, signals) = on_signals()?;
    let mut child = Command::new(tool)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::Usage(format!("{tool} cannot be started: {error}")))?;
    let writer = tee(&mut child, file);
    let (mut sent_bytes, mut looked_at) = (0, Instant::now());
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| Failure::Workload(format!("{tool}: {error}")))? {
            break status;
        }
        // A terminal sends Ctrl-C to the tool as well; other signals reach only the agent and are forwarded.
        if signals.try_recv().is_ok() && stop.cause() != Some(Cause::Signal("SIGINT")) {
            terminate(&child);
        }
        if let Some(transport) = &transport
            && args.every_s > 0
            && looked_at.elapsed() >= Duration::from_secs(args.every_s)
        {
            looked_at = Instant::now();
            let size = size_of(&log);
            // While the file grows, a refusal can mean that it is still too short, so it is ignored.
            if size > sent_bytes && transport.upload(&log, size).is_ok() {
                sent_bytes = size;
            }
        }
        thread::sleep(CHECK_EVERY);
    };
    if writer.join().is_err() {
        return Err(Failure::Workload(format!("{}: the output could not be kept", log.display())));
    }
    let delivered = match &transport {
        None => {
            eprintln!("tailroom-agent: the output is in {}; `tailroom upload` sends it", log.display());
            true
        }
        Some(transport) => deliver(transport, &log),
    };
    let code = code_of(status);
    Ok(ExitCode::from(if code == 0 && !delivered { NOT_DELIVERED } else { code }))
}

/// Returns the name of the log in the current folder, such as `fio-1795428900.log`, with the Unix time in seconds.
fn log_of(tool: &str) -> PathBuf {
    let name = Path::new(tool).file_name().unwrap_or_default().to_string_lossy().into_owned();
    PathBuf::from(format!("{name}-{}.log", unix_time().as_secs()))
}

fn size_of(log: &Path) -> u64 {
    fs::metadata(log).map_or(0, |metadata| metadata.len())
}

/// Copies the output of the tool to standard output and to the file as it arrives.
fn tee(child: &mut Child, mut file: File) -> thread::JoinHandle<()> {
    let stdout = child.stdout.take();
    thread::spawn(move || {
        let Some(mut stdout) = stdout else { return };
        let (mut piece, mut screen) = (vec![0; 1 << 16], std::io::stdout());
        while let Ok(length @ 1..) = stdout.read(&mut piece) {
            // A closed terminal must not lose the file.
            let _ = screen.write_all(&piece[..length]).and_then(|()| screen.flush());
            if let Err(error) = file.write_all(&piece[..length]) {
                eprintln!("tailroom-agent: the output cannot be kept any more: {error}");
                break;
            }
        }
    })
}

fn deliver(transport: &Transport, log: &Path) -> bool {
    let result = transport.upload(log, size_of(log)).and_then(|answer| read_in_turn(transport, answer));
    match result {
        Ok(answer) => {
            let runs = answer["runs"].as_array().map(Vec::as_slice).unwrap_or_default();
            for run in runs {
                if let Some(id) = run["run_id"].as_str() {
                    println!("{}/runs/{id}", transport.base_url);
                }
            }
            for file in answer["files"].as_array().map(Vec::as_slice).unwrap_or_default() {
                if let Some(refusal) = file["refusal"].as_str() {
                    eprintln!("tailroom-agent: {}: {refusal}", log.display());
                }
            }
            !runs.is_empty()
        }
        Err(refusal) => {
            eprintln!(
                "tailroom-agent: not delivered: {}; the output is in {}, `tailroom upload` sends it",
                refusal.sentence.trim_end_matches('.'),
                log.display()
            );
            false
        }
    }
}

/// Waits for a worker that reads a large file after the upload was answered, and returns the final answer.
fn read_in_turn(transport: &Transport, mut answer: Value) -> Result<Value, crate::transport::Refusal> {
    let until = Instant::now() + READING_TIMEOUT;
    while answer["state"] == "waiting" && Instant::now() < until {
        thread::sleep(Duration::from_secs(1));
        let path = format!("/api/v1/uploads/{}", answer["upload_id"].as_str().unwrap_or_default());
        answer = transport.get(&path)?;
    }
    Ok(answer)
}

/// Returns the exit code as a shell reports it: 128 plus the signal if the tool was killed.
fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
