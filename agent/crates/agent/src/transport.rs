//! HTTP requests to the backend, and their answers.

mod runs;

use std::fmt;
use std::fs;
use std::io::{Cursor, Read as _};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;
use ureq::http::{Response, Uri};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, RequestBuilder, SendBody};
use wire::messages::{Problem, RunId};

use crate::agent_key::AgentKey;
use crate::cli::BackendArgs;
use crate::credential::{Credential, ShortToken, credential, read_credential};
use crate::failure::Failure;
use crate::inventory;
use crate::lock::locked;

const LONGEST_ANSWER_BYTES: u64 = 4 << 20;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(600);

const SIGN_IN_TIMEOUTS: AnswerTimeouts = AnswerTimeouts { total: ANSWER_TIMEOUT, silence: ANSWER_TIMEOUT };

#[derive(Debug, Clone, Copy)]
pub struct AnswerTimeouts {
    /// Longest time until the answer is complete.
    pub total: Duration,
    /// Longest time without a byte of the answer.
    pub silence: Duration,
}

pub struct Transport {
    agent: Agent,
    /// Address of the backend, without a slash at the end.
    pub base_url: String,
    credential: Mutex<Credential>,
    token_file: Option<PathBuf>,
}

#[derive(Deserialize)]
struct ShortTokenAnswer {
    token: String,
    expires_in_s: u64,
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
#[error("{sentence}")]
pub struct Refusal {
    pub sentence: String,
    /// Whether a retry is pointless.
    pub is_final: bool,
    /// Whether the token is unknown, or not that of an enrolled agent.
    pub is_unknown_token: bool,
}

impl Refusal {
    /// Returns a refusal that a retry may overcome.
    fn passing(whose: impl fmt::Display, why: impl fmt::Display) -> Self {
        Self { sentence: format!("{whose}: {why}"), is_final: false, is_unknown_token: false }
    }
}

impl Transport {
    /// Returns the transport that the arguments name; `None` without a backend.
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

    /// Returns a transport without a token, for enrolment.
    pub fn without_token(args: &BackendArgs) -> Result<Self, Failure> {
        Self::with(args, Credential::Nothing)
    }

    /// Returns the transport for result files, with an engineer's token from `TAILROOM_TOKEN` or a file. Without a token the
    /// backend must accept callers on this machine.
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
            .user_agent(format!("tailroom-agent/{}", inventory::agent_version().version));
        if loopback {
            config = config.proxy(None);
        }
        if let Some(path) = &args.ca_file {
            config = config.tls_config(TlsConfig::builder().root_certs(certificates(path)?).build());
        }
        let agent = config.build().new_agent();
        Ok(Self { agent, base_url, credential: Mutex::new(credential), token_file: args.token_file.clone() })
    }

    fn away(&self, why: impl fmt::Display) -> Refusal {
        Refusal::passing(&self.base_url, why)
    }

    /// Posts a JSON body and returns the JSON answer. Fails if there is no answer or it is not a success.
    pub fn call(&self, path: &str, body: &Value, timeout: Duration) -> Result<Value, Refusal> {
        self.call_noting(path, body, AnswerTimeouts { total: timeout, silence: timeout }, &mut || ())
    }

    /// Posts as [`Self::call`] does, and calls `noted` before each read of the answer. A failure closes the connection.
    pub fn call_noting(
        &self,
        path: &str,
        body: &Value,
        timeout: AnswerTimeouts,
        noted: &mut dyn FnMut(),
    ) -> Result<Value, Refusal> {
        let bytes = serde_json::to_vec(body).map_err(|error| self.away(error))?;
        let mut is_again = false;
        loop {
            let answer = self.answer_noting(self.send_json(path, &bytes, timeout, self.bearer()?), noted);
            match answer {
                // A short token becomes invalid early if the backend's clock is set, or its database restored.
                Err(refusal) if refusal.is_unknown_token && !is_again && self.forget_token() => is_again = true,
                answer => return answer,
            }
        }
    }

    fn send_json(
        &self,
        path: &str,
        bytes: &[u8],
        timeout: AnswerTimeouts,
        bearer: Option<String>,
    ) -> Result<Response<Body>, ureq::Error> {
        let request = self
            .agent
            .post(format!("{}{path}", self.base_url))
            .header("content-type", "application/json")
            .header("accept", "application/json");
        let config = authorised(request, bearer).config().timeout_global(Some(timeout.total));
        config.timeout_per_read(Some(timeout.silence)).build().send(bytes)
    }

    /// Uploads the first `size` bytes of a file, which may still grow, with `POST /api/v1/uploads`.
    pub fn upload(&self, path: &Path, size: u64) -> Result<Value, Refusal> {
        let boundary = format!("tailroom-{}", RunId::new());
        let name = path.file_name().unwrap_or_default().to_string_lossy().replace(['"', '\\', '\r', '\n'], "_");
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        let tail = format!("\r\n--{boundary}--\r\n");
        let length = head.len() as u64 + size + tail.len() as u64;
        let file = fs::File::open(path).map_err(|error| Refusal::passing(path.display(), error))?;
        let body = Cursor::new(head.into_bytes()).chain(file.take(size)).chain(Cursor::new(tail.into_bytes()));
        let request = authorised(self.agent.post(format!("{}/api/v1/uploads", self.base_url)), self.bearer()?)
            .header("content-type", format!("multipart/form-data; boundary={boundary}"))
            .header("content-length", length.to_string());
        let request = request.config().timeout_global(Some(UPLOAD_TIMEOUT)).build();
        self.answer(request.send(SendBody::from_owned_reader(body)))
    }

    /// Returns the JSON answer to a GET request.
    pub fn get(&self, path: &str) -> Result<Value, Refusal> {
        self.answer(authorised(self.agent.get(format!("{}{path}", self.base_url)), self.bearer()?).call())
    }

    /// Returns the value of the `authorization` header. With a key, obtains a new short token when it is time.
    fn bearer(&self) -> Result<Option<String>, Refusal> {
        let mut credential = locked(&self.credential);
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

    /// Obtains a short token by a signature over the backend's time. If two processes sign at once, one of them tries again.
    fn sign_in(&self, key: &AgentKey) -> Result<ShortToken, Refusal> {
        let mut tries = 0;
        loop {
            let proof = key.proof(self.time(ANSWER_TIMEOUT)?);
            let bytes = serde_json::to_vec(&proof).unwrap_or_default();
            let asked_at = Instant::now();
            match self.answer(self.send_json("/api/v1/agent/token", &bytes, SIGN_IN_TIMEOUTS, None)) {
                Ok(answer) => {
                    let short_token: ShortTokenAnswer = serde_json::from_value(answer)
                        .map_err(|error| self.away(format_args!("the answer holds no token: {error}")))?;
                    let half = Duration::from_secs(short_token.expires_in_s / 2);
                    return Ok(ShortToken { text: short_token.token, renew_at: asked_at + half });
                }
                Err(refusal) if !refusal.is_final && tries < 3 => tries += 1,
                Err(refusal) => return Err(refusal),
            }
        }
    }

    fn forget_token(&self) -> bool {
        match &mut *locked(&self.credential) {
            Credential::Key { short, .. } => short.take().is_some(),
            _ => false,
        }
    }

    fn answer(&self, answer: Result<Response<Body>, ureq::Error>) -> Result<Value, Refusal> {
        self.answer_noting(answer, &mut || ())
    }

    fn answer_noting(
        &self,
        answer: Result<Response<Body>, ureq::Error>,
        noted: &mut dyn FnMut(),
    ) -> Result<Value, Refusal> {
        let mut answer = answer.map_err(|error| self.away(error))?;
        let status = answer.status().as_u16();
        let mut reader = answer.body_mut().with_config().limit(LONGEST_ANSWER_BYTES).reader();
        let (mut body, mut piece) = (Vec::new(), [0; 4_096]);
        loop {
            noted();
            match reader.read(&mut piece).map_err(|error| self.away(error))? {
                0 => break,
                length => body.extend_from_slice(piece.get(..length).unwrap_or_default()),
            }
        }
        if matches!(status, 200..=202) {
            return serde_json::from_slice(&body).map_err(|error| self.away(error));
        }
        let detail =
            serde_json::from_slice::<Problem>(&body).map(|problem| format!("{}: {}", problem.title, problem.detail));
        let sentence = detail.unwrap_or_else(|_| format!("{} answered {status}", self.base_url));
        let is_final = matches!(status, 400..=499) && !matches!(status, 408 | 409 | 429);
        Err(Refusal { sentence, is_final, is_unknown_token: matches!(status, 401 | 403) })
    }

    /// Returns the time of the backend's clock, in nanoseconds since the Unix epoch.
    pub fn time(&self, timeout: Duration) -> Result<u64, Refusal> {
        let request = self.agent.get(format!("{}/api/v1/clock", self.base_url));
        let request = request.config().timeout_global(Some(timeout)).build();
        let mut answer = request.call().map_err(|error| self.away(error))?;
        let body = answer.body_mut().with_config().limit(1_024).read_to_vec().map_err(|error| self.away(error))?;
        let clock: Value = serde_json::from_slice(&body).map_err(|error| self.away(error))?;
        clock["unix_ns"].as_u64().ok_or_else(|| self.away("the answer names no time"))
    }

    /// Reads the token file again: after a refusal its content may have been replaced.
    fn read_token_again(&self) {
        if let Some(Ok(found)) = self.token_file.as_ref().map(|path| read_credential(path)) {
            *locked(&self.credential) = found;
        }
    }
}

fn authorised<B>(request: RequestBuilder<B>, bearer: Option<String>) -> RequestBuilder<B> {
    match bearer {
        Some(bearer) => request.header("authorization", bearer),
        None => request,
    }
}

/// Checks an address and returns whether it is on this machine. Fails if it is not an HTTP address, or if it would send the
/// token unencrypted over the network without `allow_plain_http`.
fn check_address(url: &str, allow_plain_http: bool) -> Result<bool, Failure> {
    let refuse = |why: &str| Err(Failure::Usage(format!("--backend {url}: {why}")));
    // The HTTP client's own parser ensures that the check and the request mean the same host.
    let uri = url.parse::<Uri>().ok();
    let parts = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.authority()?)));
    let Some((scheme @ ("http" | "https"), authority)) = parts.filter(|(_, to)| !to.as_str().contains('@')) else {
        return refuse("an address such as https://tailroom.example.org or http://127.0.0.1:8400 is needed");
    };
    let host = authority.host().trim_matches(['[', ']']);
    let loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if scheme == "http" && !loopback && !allow_plain_http {
        return refuse(
            "the token would cross the network unencrypted; use https, or --allow-plain-http where the network is trusted",
        );
    }
    Ok(loopback)
}

/// Returns the certificate authorities in a PEM file.
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
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_backend_that_falls_silent_is_let_go_with_its_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let closed_after = thread::spawn(move || {
            let (stream, _) = listener.accept().expect("a question");
            let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
            let mut line = String::new();
            while reader.read_line(&mut line).expect("a head") > 2 {
                line.clear();
            }
            (&stream).write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n ").expect("sent");
            let (silent_since, mut rest) = (Instant::now(), Vec::new());
            reader.read_to_end(&mut rest).expect("closed by the agent");
            silent_since.elapsed()
        });
        let args = BackendArgs { backend: Some(url), token_file: None, ca_file: None, allow_plain_http: false };
        let transport = Transport::without_token(&args).expect("loopback");
        let timeout = AnswerTimeouts { total: Duration::from_secs(3_600), silence: Duration::from_millis(300) };
        let mut pieces = 0;
        let refusal = transport.call_noting("/", &json!({}), timeout, &mut || pieces += 1).expect_err("silence");
        assert!(!refusal.is_final && refusal.sentence.contains("timeout"), "{refusal:?}");
        assert!(pieces >= 1, "the blank came through");
        let closed_after = closed_after.join().expect("closed");
        assert!(closed_after < Duration::from_secs(30), "{closed_after:?}");
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
