//! Delivery of observations: samples in batches, in order, until the backend has acknowledged them.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::ledger::Unsent;
use crate::transport::{Refusal, Transport};

const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// Most samples of one message, and most bytes: far below what the backend accepts.
const MOST_SAMPLES: usize = 120;
const MOST_BYTES: usize = 160 << 10;

/// Result of an attempt to deliver an observation.
#[derive(Debug)]
pub enum Delivered {
    /// Everything available is delivered; `true` if the observation has ended.
    All(bool),
    /// The backend is away or refuses for now; holds the reason.
    NotNow(String),
    /// The backend refuses for good; holds the reason.
    Never(String),
}

/// Sends all available samples of one observation.
pub fn deliver(transport: &Transport, unsent: &mut Unsent) -> Delivered {
    match attempt(transport, unsent) {
        Ok(is_over) => Delivered::All(is_over),
        Err(Failed::Disk(error)) => Delivered::NotNow(format!("the spool: {error}")),
        Err(Failed::Refused(refusal)) if refusal.is_final => Delivered::Never(refusal.sentence),
        Err(Failed::Refused(refusal)) => Delivered::NotNow(refusal.sentence),
    }
}

/// Sends what earlier observations left, except that in the folder `but`, and deletes those that are delivered. Returns the
/// problems to report.
pub fn deliver_left(transport: &Transport, place: &Path, but: Option<&Path>) -> Vec<String> {
    let mut problems = Vec::new();
    for folder in Unsent::all(place).iter().filter(|folder| but.is_none_or(|but| but != folder.as_path())) {
        let mut unsent = Unsent::of(folder);
        let ended = unsent.ended();
        match deliver(transport, &mut unsent) {
            // A killed observer has stored no end: the samples on disk are all.
            Delivered::All(_) => {
                let end = || -> Result<(), Failed> {
                    if ended.is_none() {
                        finish(transport, &unsent, unsent.sent())?;
                    }
                    Ok(unsent.remove()?)
                };
                if let Err(Failed::Disk(error)) = end() {
                    problems.push(format!("the spool: {error}"));
                }
            }
            Delivered::NotNow(sentence) => {
                problems.push(sentence);
                break;
            }
            Delivered::Never(sentence) => problems.push(format!("{sentence}; {} stays where it is", folder.display())),
        }
    }
    problems
}

enum Failed {
    Disk(std::io::Error),
    Refused(Refusal),
}

impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error)
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

fn attempt(transport: &Transport, unsent: &mut Unsent) -> Result<bool, Failed> {
    if !unsent.is_announced {
        let mut body = unsent.announcement()?;
        body["observation_id"] = Value::String(unsent.id());
        transport.call("/api/v1/observations", &body, ANSWER_TIMEOUT)?;
        unsent.is_announced = true;
    }
    loop {
        // Read before the samples: once the end is stored, no sample follows.
        let ended = unsent.ended();
        let (first, samples, end) = unsent.next(MOST_SAMPLES, MOST_BYTES)?;
        if samples.is_empty() {
            if let Some(written) = ended {
                finish(transport, unsent, written)?;
            }
            return Ok(ended.is_some());
        }
        let sent = first + samples.len() as u64;
        let path = format!("/api/v1/observations/{}/samples", unsent.id());
        let answer = transport.call(&path, &json!({"first": first, "samples": samples}), ANSWER_TIMEOUT)?;
        match answer["next"].as_u64() {
            Some(next) if next >= sent => unsent.acknowledged(sent, end)?,
            // After a restore the backend has less than it acknowledged before, so everything is sent again.
            _ => unsent.acknowledged(0, 0)?,
        }
    }
}

fn finish(transport: &Transport, unsent: &Unsent, samples: u64) -> Result<(), Failed> {
    let path = format!("/api/v1/observations/{}/finish", unsent.id());
    transport.call(&path, &json!({"samples": samples}), ANSWER_TIMEOUT)?;
    Ok(())
}
