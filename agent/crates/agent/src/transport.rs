//! HTTP: a request out, a reply in. Everything that can go wrong on the way becomes a [`Reply`], never an error.

use std::fmt;
use std::fs;
use std::io::{Cursor, Read as _};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use ureq::http::Response;
use ureq::http::header::RETRY_AFTER;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, RequestBuilder, SendBody};
use wire::messages::{Announcement, Finish, IntervalBatch, Problem, RunId, to_msgpack};
use wire::session::Reply;

use crate::agent_key::AgentKey;
use crate::cli::BackendArgs;
use crate::failure::Failure;
use crate::version;

const CONTENT_DIGEST: &str = "content-digest";
/// No answer of the contract is longer.
const LONGEST_ANSWER_BYTES: u64 = 4 << 20;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(600);

/// The way to one backend.
pub struct Transport {
    agent: Agent,
    base_url: String,
    credential: Mutex<Credential>,
    token_file: Option<PathBuf>,
}

/// What lets the agent in; never shown.
enum Credential {
    Nothing,
    Token(String),
    Key { key: AgentKey, short: Option<ShortToken> },
}

/// What the key has signed for.
struct ShortToken {
    text: String,
    /// From then on another is asked for.
    renew_at: Instant,
}

#[derive(Deserialize)]
struct ShortTokenAnswer {
    token: String,
    expires_in_s: u64,
}

/// Why a call failed.
#[derive(Debug)]
pub struct Refusal {
    /// For a person.
    pub sentence: String,
    /// Asking again is of no use.
    pub is_final: bool,
    /// The token is not known, or not of an agent that is enrolled.
    pub is_unknown_token: bool,
}

impl fmt::Debug for Transport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Transport").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl Transport {
    /// The way that the arguments describe; none without a backend.
    ///
    /// # Errors
    /// When the address, the token or the certificates cannot be used.
    pub fn from_args(args: &BackendArgs) -> Result<Option<Self>, Failure> {
        if args.backend.is_none() {
            return Ok(None);
        }
        let credential = credential(args, "TAILROOM_AGENT_TOKEN")?;
        if matches!(credential, Credential::Nothing) {
            return Err(Failure::Usage(
                "no agent token: give --token-file, or set TAILROOM_AGENT_TOKEN (`tailroom token create --scope agent` \
                 makes one)"
                    .to_owned(),
            ));
        }
        Self::with(args, credential).map(Some)
    }

    /// The way of somebody who has no token yet.
    ///
    /// # Errors
    /// As [`Self::from_args`], and when there is no address.
    pub fn without_token(args: &BackendArgs) -> Result<Self, Failure> {
        Self::with(args, Credential::Nothing)
    }

    /// The way of result files: `TAILROOM_TOKEN` or a file holds an engineer's token; without one the backend must take
    /// whoever is on this machine.
    ///
    /// # Errors
    /// As [`Self::from_args`].
    pub fn for_uploads(args: &BackendArgs) -> Result<Self, Failure> {
        Self::with(args, credential(args, "TAILROOM_TOKEN")?)
    }

    fn with(args: &BackendArgs, credential: Credential) -> Result<Self, Failure> {
        let url =
            args.backend.as_deref().ok_or_else(|| Failure::Usage("name the backend: --backend URL".to_owned()))?;
        let base_url = url.trim_end_matches('/').to_owned();
        let loopback = check_address(&base_url, args.allow_plain_http)?;
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_global(Some(ANSWER_TIMEOUT))
            .max_idle_connections(2)
            .user_agent(format!("tailroom-agent/{}", version::agent_version().version));
        if loopback {
            config = config.proxy(None);
        }
        if let Some(path) = &args.ca_file {
            config = config.tls_config(TlsConfig::builder().root_certs(certificates(path)?).build());
        }
        let agent = config.build().new_agent();
        Ok(Self { agent, base_url, credential: Mutex::new(credential), token_file: args.token_file.clone() })
    }

    /// Address of the page of a run, for a person.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// `POST /api/v1/runs`.
    pub fn announce(&self, announcement: &Announcement) -> Reply {
        self.post("/api/v1/runs", announcement.run_id, announcement, 0, Reply::Announced)
    }

    /// `POST /api/v1/runs/{run_id}/intervals`.
    pub fn intervals(&self, run_id: RunId, batch: &IntervalBatch) -> Reply {
        let path = format!("/api/v1/runs/{run_id}/intervals");
        self.post(&path, run_id, batch, batch.intervals.len(), Reply::Accepted)
    }

    /// `POST /api/v1/runs/{run_id}/finish`.
    pub fn finish(&self, run_id: RunId, finish: &Finish) -> Reply {
        self.post(&format!("/api/v1/runs/{run_id}/finish"), run_id, finish, 0, Reply::Finished)
    }

    /// Sends a JSON body and reads a JSON answer.
    ///
    /// # Errors
    /// A sentence, and whether asking again is of no use.
    pub fn call(&self, path: &str, body: &Value, timeout: Duration) -> Result<Value, Refusal> {
        self.call_noting(path, body, timeout, &|| ())
    }

    /// The same; `noted` is called whenever something of the answer has come.
    ///
    /// # Errors
    /// As [`Self::call`].
    pub fn call_noting(&self, path: &str, body: &Value, timeout: Duration, noted: &dyn Fn()) -> Result<Value, Refusal> {
        let away = |why: &dyn fmt::Display| Refusal {
            sentence: format!("{}: {why}", self.base_url),
            is_final: false,
            is_unknown_token: false,
        };
        let bytes = serde_json::to_vec(body).map_err(|error| away(&error))?;
        let mut is_again = false;
        loop {
            let answer = self.answer_noting(self.send_json(path, &bytes, timeout, self.bearer()?), noted);
            match answer {
                // A short token ends early when the backend's clock is set, or its database was restored.
                Err(refusal) if refusal.is_unknown_token && !is_again && self.forget_token() => is_again = true,
                answer => return answer,
            }
        }
    }

    fn send_json(
        &self,
        path: &str,
        bytes: &[u8],
        timeout: Duration,
        bearer: Option<String>,
    ) -> Result<Response<Body>, ureq::Error> {
        let mut request = self
            .agent
            .post(format!("{}{path}", self.base_url))
            .header("content-type", "application/json")
            .header("accept", "application/json");
        if let Some(bearer) = bearer {
            request = request.header("authorization", bearer);
        }
        request.config().timeout_global(Some(timeout)).build().send(bytes)
    }

    /// `POST /api/v1/uploads` of the first `size` bytes of a file, which may still grow.
    ///
    /// # Errors
    /// As [`Self::call`].
    pub fn upload(&self, path: &Path, size: u64) -> Result<Value, Refusal> {
        let away = |why: &dyn fmt::Display| Refusal {
            sentence: format!("{}: {why}", path.display()),
            is_final: false,
            is_unknown_token: false,
        };
        let boundary = format!("tailroom-{}", RunId::new());
        let name = path.file_name().unwrap_or_default().to_string_lossy().replace(['"', '\\', '\r', '\n'], "_");
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        let tail = format!("\r\n--{boundary}--\r\n");
        let length = head.len() as u64 + size + tail.len() as u64;
        let file = fs::File::open(path).map_err(|error| away(&error))?;
        let body = Cursor::new(head.into_bytes()).chain(file.take(size)).chain(Cursor::new(tail.into_bytes()));
        let request = self
            .authorised(self.agent.post(format!("{}/api/v1/uploads", self.base_url)))?
            .header("content-type", format!("multipart/form-data; boundary={boundary}"))
            .header("content-length", length.to_string());
        let request = request.config().timeout_global(Some(UPLOAD_TIMEOUT)).build();
        self.answer(request.send(SendBody::from_owned_reader(body)))
    }

    /// Reads a JSON answer.
    ///
    /// # Errors
    /// As [`Self::call`].
    pub fn get(&self, path: &str) -> Result<Value, Refusal> {
        self.answer(self.authorised(self.agent.get(format!("{}{path}", self.base_url)))?.call())
    }

    fn authorised<B>(&self, request: RequestBuilder<B>) -> Result<RequestBuilder<B>, Refusal> {
        Ok(match self.bearer()? {
            Some(bearer) => request.header("authorization", bearer),
            None => request,
        })
    }

    /// The value of `authorization`; an agent with a key signs for it now and then.
    fn bearer(&self) -> Result<Option<String>, Refusal> {
        let mut credential = self.credential.lock().unwrap_or_else(PoisonError::into_inner);
        let text = match &mut *credential {
            Credential::Nothing => return Ok(None),
            Credential::Token(text) => text.clone(),
            Credential::Key { key, short } => match short {
                Some(short) if Instant::now() < short.renew_at => short.text.clone(),
                _ => short.insert(self.sign_in(key)?).text.clone(),
            },
        };
        Ok(Some(format!("Bearer {text}")))
    }

    /// Signs for a short token, by the backend's clock. Of two processes that sign at once one is refused, and signs anew.
    fn sign_in(&self, key: &AgentKey) -> Result<ShortToken, Refusal> {
        let mut tries = 0;
        loop {
            let proof = key.proof(self.time(ANSWER_TIMEOUT)?);
            let bytes = serde_json::to_vec(&proof).unwrap_or_default();
            let asked = Instant::now();
            match self.answer(self.send_json("/api/v1/agent/token", &bytes, ANSWER_TIMEOUT, None)) {
                Ok(answer) => {
                    let found: ShortTokenAnswer = serde_json::from_value(answer).map_err(|error| Refusal {
                        sentence: format!("{}: the answer holds no token: {error}", self.base_url),
                        is_final: false,
                        is_unknown_token: false,
                    })?;
                    let half = Duration::from_secs(found.expires_in_s / 2);
                    return Ok(ShortToken { text: found.token, renew_at: asked + half });
                }
                Err(refusal) if !refusal.is_final && tries < 3 => tries += 1,
                Err(refusal) => return Err(refusal),
            }
        }
    }

    /// Lets a short token go, and says whether there was one.
    fn forget_token(&self) -> bool {
        match &mut *self.credential.lock().unwrap_or_else(PoisonError::into_inner) {
            Credential::Key { short, .. } => short.take().is_some(),
            _ => false,
        }
    }

    fn answer(&self, answer: Result<Response<Body>, ureq::Error>) -> Result<Value, Refusal> {
        self.answer_noting(answer, &|| ())
    }

    fn answer_noting(&self, answer: Result<Response<Body>, ureq::Error>, noted: &dyn Fn()) -> Result<Value, Refusal> {
        let away = |why: &dyn fmt::Display| Refusal {
            sentence: format!("{}: {why}", self.base_url),
            is_final: false,
            is_unknown_token: false,
        };
        let mut answer = answer.map_err(|error| away(&error))?;
        let status = answer.status().as_u16();
        let mut reader = answer.body_mut().with_config().limit(LONGEST_ANSWER_BYTES).reader();
        let (mut body, mut piece) = (Vec::new(), [0; 4_096]);
        loop {
            noted();
            match reader.read(&mut piece).map_err(|error| away(&error))? {
                0 => break,
                length => body.extend_from_slice(piece.get(..length).unwrap_or_default()),
            }
        }
        if matches!(status, 200..=202) {
            return serde_json::from_slice(&body).map_err(|error| away(&error));
        }
        let said =
            serde_json::from_slice::<Problem>(&body).map(|problem| format!("{}: {}", problem.title, problem.detail));
        let sentence = said.unwrap_or_else(|_| format!("{} answered {status}", self.base_url));
        let is_final = matches!(status, 400..=499) && !matches!(status, 408 | 409 | 429);
        Err(Refusal { sentence, is_final, is_unknown_token: matches!(status, 401 | 403) })
    }

    /// The backend's clock, in nanoseconds since 1970.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn time(&self, timeout: Duration) -> Result<u64, Refusal> {
        let away = |why: &dyn fmt::Display| Refusal {
            sentence: format!("{}: {why}", self.base_url),
            is_final: false,
            is_unknown_token: false,
        };
        let request = self.agent.get(format!("{}/api/v1/clock", self.base_url));
        let request = request.config().timeout_global(Some(timeout)).build();
        let mut answer = request.call().map_err(|error| away(&error))?;
        let body = answer.body_mut().with_config().limit(1_024).read_to_vec().map_err(|error| away(&error))?;
        let found: Value = serde_json::from_slice(&body).map_err(|error| away(&error))?;
        found["unix_ns"].as_u64().ok_or_else(|| away(&"the answer names no time"))
    }

    fn post<A: DeserializeOwned>(
        &self,
        path: &str,
        run_id: RunId,
        message: &impl Serialize,
        intervals: usize,
        accept: impl FnOnce(A) -> Reply,
    ) -> Reply {
        let unsendable = |reason: String| Reply::Unsendable { reason, intervals };
        let body = match to_msgpack(message).map(|bytes| zstd::bulk::compress(&bytes, 3)) {
            Ok(Ok(body)) => body,
            Ok(Err(error)) => return unsendable(format!("the body could not be compressed: {error}")),
            Err(error) => return unsendable(error.to_string()),
        };
        let authorization = match self.bearer() {
            Ok(bearer) => bearer.unwrap_or_default(),
            // Asked again later, as after any refusal of the token.
            Err(refusal) if refusal.is_unknown_token => {
                return Reply::Refused { status: 401, retry_after: None, problem: None, intervals };
            }
            Err(refusal) => return Reply::Unreachable(refusal.sentence),
        };
        let answer = self
            .agent
            .post(format!("{}{path}", self.base_url))
            .header("authorization", authorization)
            .header("content-type", "application/msgpack")
            .header("content-encoding", "zstd")
            .header("accept", "application/json")
            .header(CONTENT_DIGEST, content_digest(&body))
            .header("traceparent", trace_of(run_id))
            .send(&body[..]);
        match answer {
            Ok(answer) => self.read(answer, intervals, accept),
            Err(error) => Reply::Unreachable(format!("{}: {error}", self.base_url)),
        }
    }

    fn read<A: DeserializeOwned>(
        &self,
        mut answer: Response<Body>,
        intervals: usize,
        accept: impl FnOnce(A) -> Reply,
    ) -> Reply {
        let status = answer.status().as_u16();
        let retry_after = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let body = match answer.body_mut().with_config().limit(LONGEST_ANSWER_BYTES).read_to_vec() {
            Ok(body) => body,
            Err(error) => return Reply::Unreachable(format!("{}: the answer broke off: {error}", self.base_url)),
        };
        // What is acknowledged goes from the spool, so a changed digit must not count. Older backends name no digest.
        let sent = answer.headers().get(CONTENT_DIGEST);
        if sent.is_some_and(|sent| sent.as_bytes() != content_digest(&body).as_bytes()) {
            return Reply::Unreachable(format!("{}: the answer was damaged on its way", self.base_url));
        }
        if matches!(status, 200 | 201) {
            return match serde_json::from_slice(&body) {
                Ok(answer) => accept(answer),
                Err(error) => Reply::Unreachable(format!(
                    "{}: answered {status} with something that is no answer of a tailroom backend ({error})",
                    self.base_url
                )),
            };
        }
        if status == 401 {
            self.read_token_again();
        }
        Reply::Refused {
            status,
            retry_after: retry_after.map(Duration::from_secs),
            problem: serde_json::from_slice::<Problem>(&body).ok(),
            intervals,
        }
    }

    /// What is not known (any more) may have been replaced in its file.
    fn read_token_again(&self) {
        if let Some(Ok(found)) = self.token_file.as_ref().map(|path| read_credential(path)) {
            *self.credential.lock().unwrap_or_else(PoisonError::into_inner) = found;
        }
    }
}

/// The value of `traceparent` (W3C Trace Context): a run is a trace with its id, as `backend/src/tailroom/kit/tracing.py` has it.
fn trace_of(run_id: RunId) -> String {
    let id = run_id.to_string().replace('-', "");
    let last = id.get(16..).unwrap_or_default();
    format!("00-{id}-{last}-01")
}

/// The value of `Content-Digest` (RFC 9530) for these bytes, as `backend/src/tailroom/ingest/content_digest.py` reads it.
fn content_digest(content: &[u8]) -> String {
    format!("sha-256=:{}:", STANDARD.encode(Sha256::digest(content)))
}

fn credential(args: &BackendArgs, variable: &str) -> Result<Credential, Failure> {
    match &args.token_file {
        Some(path) => read_credential(path).map_err(Failure::Usage),
        None => Ok(as_token(&std::env::var(variable).unwrap_or_default())),
    }
}

/// What a file holds: a token, or the key that enrolling made.
fn read_credential(path: &Path) -> Result<Credential, String> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read the token {}: {error}", path.display()))?;
    if text.trim_start().starts_with('{') {
        let key = AgentKey::read(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(Credential::Key { key, short: None });
    }
    Ok(as_token(&text))
}

fn as_token(text: &str) -> Credential {
    let text = text.trim();
    let is_plain = !text.is_empty() && text.chars().all(|character| character.is_ascii_graphic());
    if is_plain { Credential::Token(text.to_owned()) } else { Credential::Nothing }
}

/// Whether the address is on this machine; refuses addresses that would show the token to the network.
fn check_address(url: &str, allow_plain_http: bool) -> Result<bool, Failure> {
    let refuse = |why: &str| Err(Failure::Usage(format!("--backend {url}: {why}")));
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() || authority.contains('@') || !["http", "https"].contains(&scheme) {
        return refuse("an address such as https://tailroom.example.org or http://127.0.0.1:8400 is needed");
    }
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if scheme == "http" && !loopback && !allow_plain_http {
        return refuse(
            "the token would cross the network unencrypted; use https, or --allow-plain-http where the network is trusted",
        );
    }
    Ok(loopback)
}

fn certificates(path: &PathBuf) -> Result<RootCerts, Failure> {
    let refuse = |why: String| Failure::Usage(format!("--ca-file {}: {why}", path.display()));
    let pem = fs::read(path).map_err(|error| refuse(error.to_string()))?;
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| refuse(error.to_string()))? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(refuse("it holds no certificate in PEM form".to_owned()));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_a_trace_with_its_id() {
        let run_id: RunId = serde_json::from_str("\"01a1fa22-6e23-76d2-ae80-c1fd2ca4539d\"").expect("an id");
        assert_eq!(trace_of(run_id), "00-01a1fa226e2376d2ae80c1fd2ca4539d-ae80c1fd2ca4539d-01");
    }

    #[test]
    fn the_token_goes_unencrypted_to_this_machine_only() {
        for url in ["http://127.0.0.1:8400", "http://localhost:8400/base", "http://[::1]:8400"] {
            assert!(check_address(url, false).expect("allowed"), "{url}");
        }
        assert!(!check_address("https://tailroom.example.org", false).expect("allowed"));
        assert!(!check_address("http://api:8400", true).expect("allowed"));
        for url in ["http://api:8400", "http://127.0.0.1.example.org", "ftp://localhost", "localhost:8400", "http://"] {
            assert!(check_address(url, false).is_err(), "{url}");
        }
        assert!(check_address("http://localhost:1@example.org", false).is_err(), "who is asked must be plain");
    }
}
