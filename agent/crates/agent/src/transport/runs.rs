//! The calls that deliver a run. Every failure becomes a [`Reply`], never an error.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use ureq::Body;
use ureq::http::Response;
use ureq::http::header::RETRY_AFTER;
use wire::messages::{Announcement, Finish, IntervalBatch, Problem, RunId, to_msgpack};
use wire::session::Reply;

use super::{LONGEST_ANSWER_BYTES, Transport};

const CONTENT_DIGEST: &str = "content-digest";

impl Transport {
    /// Calls `POST /api/v1/runs`.
    pub fn announce(&self, announcement: &Announcement) -> Reply {
        self.post("/api/v1/runs", announcement.run_id, announcement, 0, Reply::Announced)
    }

    /// Calls `POST /api/v1/runs/{run_id}/intervals`.
    pub fn intervals(&self, run_id: RunId, batch: &IntervalBatch) -> Reply {
        let path = format!("/api/v1/runs/{run_id}/intervals");
        self.post(&path, run_id, batch, batch.intervals.len(), Reply::Accepted)
    }

    /// Calls `POST /api/v1/runs/{run_id}/finish`.
    pub fn finish(&self, run_id: RunId, finish: &Finish) -> Reply {
        self.post(&format!("/api/v1/runs/{run_id}/finish"), run_id, finish, 0, Reply::Finished)
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
            // Retried later, as after any refusal of the token.
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
        // Acknowledged intervals are deleted from the spool, so a damaged answer must not count. Older backends send no digest.
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
}

/// Returns the value of `traceparent` (W3C Trace Context) for a run, which is a trace with its id, as in
/// `backend/src/tailroom/kit/tracing.py`.
fn trace_of(run_id: RunId) -> String {
    let id = run_id.to_string().replace('-', "");
    let last = id.get(16..).unwrap_or_default();
    format!("00-{id}-{last}-01")
}

/// Returns the value of `Content-Digest` (RFC 9530) for these bytes, as `backend/src/tailroom/ingest/content_digest.py` reads it.
fn content_digest(content: &[u8]) -> String {
    format!("sha-256=:{}:", STANDARD.encode(Sha256::digest(content)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_a_trace_with_its_id() {
        let run_id: RunId = serde_json::from_str("\"01a1fa22-6e23-76d2-ae80-c1fd2ca4539d\"").expect("an id");
        assert_eq!(trace_of(run_id), "00-01a1fa226e2376d2ae80c1fd2ca4539d-ae80c1fd2ca4539d-01");
    }
}
