//! Delivery of observations: samples in batches, in order, until the backend has acknowledged them.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::observation::ObservationReader;
use crate::transport::{Refusal, Transport};

const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// Most samples of one message, and most bytes: far below what the backend accepts.
const MOST_SAMPLES: usize = 120;
const MOST_BYTES: usize = 160 << 10;

/// Why not everything available is delivered.
#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    #[error("the spool: {0}")]
    Disk(#[from] std::io::Error),
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl DeliveryError {
    /// Returns whether the backend refuses for good.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Refused(refusal) if refusal.is_final)
    }
}

/// Sends what earlier observations left, except that in the folder `but`, and deletes what is delivered. Returns problems.
pub fn deliver_left(transport: &Transport, root: &Path, but: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    for folder in ObservationReader::all(root).iter().filter(|folder| *folder != but) {
        let mut reader = ObservationReader::of(folder);
        let ended = reader.ended();
        match deliver(transport, &mut reader) {
            // A killed observer has stored no end: the samples on disk are all.
            Ok(_) => {
                let end = || -> Result<(), DeliveryError> {
                    if ended.is_none() {
                        finish(transport, &reader, reader.position.next)?;
                    }
                    Ok(reader.remove()?)
                };
                if let Err(error @ DeliveryError::Disk(_)) = end() {
                    problems.push(error.to_string());
                }
            }
            Err(error) if error.is_final() => {
                problems.push(format!("{error}; {} stays where it is", folder.display()));
            }
            Err(error) => {
                problems.push(error.to_string());
                break;
            }
        }
    }
    problems
}

/// Delivers everything available; returns whether the observation has ended.
pub fn deliver(transport: &Transport, reader: &mut ObservationReader) -> Result<bool, DeliveryError> {
    if !reader.is_announced {
        let mut body = reader.announcement()?;
        body["observation_id"] = Value::String(reader.id());
        transport.call("/api/v1/observations", &body, ANSWER_TIMEOUT)?;
        reader.is_announced = true;
    }
    loop {
        // Read before the samples: once the end is stored, no sample follows.
        let ended = reader.ended();
        let (first, samples, end) = reader.next(MOST_SAMPLES, MOST_BYTES)?;
        if samples.is_empty() {
            if let Some(written) = ended {
                finish(transport, reader, written)?;
            }
            return Ok(ended.is_some());
        }
        let sent = first + samples.len() as u64;
        let path = format!("/api/v1/observations/{}/samples", reader.id());
        let answer = transport.call(&path, &json!({"first": first, "samples": samples}), ANSWER_TIMEOUT)?;
        match answer["next"].as_u64() {
            Some(next) if next >= sent => reader.acknowledged(sent, end)?,
            // After a restore the backend has less than it acknowledged before, so everything is sent again.
            _ => reader.acknowledged(0, 0)?,
        }
    }
}

fn finish(transport: &Transport, reader: &ObservationReader, samples: u64) -> Result<(), DeliveryError> {
    let path = format!("/api/v1/observations/{}/finish", reader.id());
    transport.call(&path, &json!({"samples": samples}), ANSWER_TIMEOUT)?;
    Ok(())
}
