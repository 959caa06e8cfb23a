//! The life cycle of objects on a server, shared by all drivers.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use measure::series::{Workload, WorkloadError};
use workloads::job::Stage;

use crate::marker::{Marker, MarkerState};
use crate::stage::{self, Settings};
use crate::store::{Facts, Store, StoredObjects};
use crate::store_driver::StoreDriver;
use crate::store_stage::StoreStage;

/// Number of objects that are read back after a load and before a measurement.
const SAMPLE: u64 = 1_000;
/// Number of keys that are checked at once in the search for inserts of an interrupted run.
const SEARCH_STEP: u64 = 64;
/// Minimum cost in bytes of an object beyond its name and content: entry, object and allocation.
const OVERHEAD_BYTES: u64 = 64;
/// Maximum number of reads of the used memory. A server frees the memory of removed objects with a delay.
const MEMORY_READS: u32 = 20;
const BETWEEN_MEMORY_READS: Duration = Duration::from_millis(100);

/// Checks that no object exists under any key of a job, for drivers without containers. Fails if an object exists. The message
/// begins with `the {noun} {key}{of} is there already`, such as `the key user7`, and ends with `remedy`.
pub fn refuse_existing_keys<D: StoreDriver>(
    driver: &D,
    connection: &mut D::Connection,
    (noun, of, remedy): (&str, &str, &str),
) -> Result<(), WorkloadError> {
    let spec = &driver.job().spec;
    let is_empty = driver.stored_count(connection)? == 0;
    let mut checked = 0;
    for keys in keys_to_check(spec.first, spec.count, is_empty) {
        let existing = driver.existing(connection, &keys)?;
        checked += keys.len();
        if let Some(first) = existing.first() {
            return Err(driver.refuse(format!(
                "the {noun} {}{of} is there already and was not loaded by Tailroom ({} of the first {checked} that were checked \
                 are); nothing was written. {remedy}",
                driver.name(*first),
                existing.len(),
            )));
        }
    }
    Ok(())
}

/// Sets the actual number of objects: an interrupted run may have inserted more than its marker states.
fn find_end<D: StoreDriver>(driver: &D, connection: &mut D::Connection, marker: &Marker) -> Result<(), WorkloadError> {
    let mut end = marker.first + marker.count;
    while let Some(last) = driver.existing(connection, &(end..end + SEARCH_STEP).collect::<Vec<u64>>())?.last() {
        end = last + 1;
    }
    driver.job().count.set(end - marker.first);
    Ok(())
}

/// Returns the number of objects that are still to be written, after an interrupted load an estimate.
fn missing<D: StoreDriver>(
    driver: &D,
    connection: &mut D::Connection,
    stored: &StoredObjects,
) -> Result<u64, WorkloadError> {
    let spec = &driver.job().spec;
    if *stored != StoredObjects::Incomplete {
        return Ok(spec.count);
    }
    let keys: Vec<u64> = sample(spec.first, spec.count).collect();
    let existing = driver.existing(connection, &keys)?.len();
    Ok(estimate_missing(spec.count, keys.len(), existing))
}

impl<D: StoreDriver> Store for D {
    fn facts(&self) -> &Facts {
        &self.job().facts
    }

    fn inspect(&self) -> Result<StoredObjects, WorkloadError> {
        let connection = &mut self.connect()?;
        let Some(marker) = self.read_marker(connection)? else {
            self.refuse_foreign_objects(connection)?;
            return Ok(StoredObjects::Absent);
        };
        let state = self.job().state_of(&marker);
        if matches!(state, StoredObjects::Complete | StoredObjects::Uneven) && !self.has_container(connection)? {
            return Ok(StoredObjects::Incomplete);
        }
        if state == StoredObjects::Complete {
            find_end(self, connection, &marker)?;
        }
        Ok(state)
    }

    fn check_capacity(&self, stored: &StoredObjects) -> Result<(), WorkloadError> {
        let Some(limit) = self.memory_limit()? else { return Ok(()) };
        let connection = &mut self.connect()?;
        let (missing, bytes) = (missing(self, connection, stored)?, self.job().spec.shape.bytes());
        let needed = missing.saturating_mul(bytes + OVERHEAD_BYTES) * limit.copies;
        let (mut used, mut reads) = (self.used_bytes(connection)?, 1);
        while used.saturating_add(needed) > limit.bytes && needed <= limit.bytes && reads < MEMORY_READS {
            std::thread::sleep(BETWEEN_MEMORY_READS);
            (used, reads) = (self.used_bytes(connection)?, reads + 1);
        }
        if used.saturating_add(needed) <= limit.bytes {
            return Ok(());
        }
        Err(self.refuse(format!(
            "{missing} objects of {bytes} B need at least {needed} B, and of {} {used} B are used already; nothing was written. \
             {}, or choose fewer or smaller objects",
            limit.text, limit.remedy
        )))
    }

    fn begin_loading(&self) -> Result<(), WorkloadError> {
        let (job, connection) = (self.job(), &mut self.connect()?);
        job.count.set(job.spec.count);
        job.is_fresh.store(true, Ordering::Release);
        self.write_marker(connection, &job.marker(MarkerState::Loading))?;
        self.create_container(connection)
    }

    fn begin_inserting(&self) -> Result<(), WorkloadError> {
        self.write_marker(&mut self.connect()?, &self.job().marker(MarkerState::Uneven))
    }

    fn check(&self) -> Result<(), WorkloadError> {
        let connection = &mut self.connect()?;
        let count = self.job().count.count();
        let stored = self.stored_count(connection)?;
        if stored < count {
            let loss = self.explain_loss(stored);
            return Err(self.refuse(format!("{count} objects should be there, and {loss}")));
        }
        let keys: Vec<u64> = sample(self.job().spec.first, count).collect();
        let damaged = self.damaged(connection, &keys)?;
        let Some(first) = damaged.first() else { return Ok(()) };
        Err(self.refuse(format!(
            "{} of {} objects that were read back are missing or not what was loaded, such as {}: {}; load them again with \
             --reload",
            damaged.len(),
            keys.len(),
            self.name(*first),
            Self::OTHER_WRITERS
        )))
    }

    fn finish_loading(&self) -> Result<(), WorkloadError> {
        let (job, connection) = (self.job(), &mut self.connect()?);
        if job.is_fresh.swap(false, Ordering::AcqRel) {
            self.settle(connection)?;
        }
        self.write_marker(connection, &job.marker(MarkerState::Complete))
    }

    fn remove(&self) -> Result<u64, WorkloadError> {
        let (job, connection) = (self.job(), &mut self.connect()?);
        let Some(marker) = self.read_marker(connection)? else { return Ok(0) };
        let mut removed = 0;
        if self.has_container(connection)? {
            find_end(self, connection, &marker)?;
            removed = self.delete(connection, marker.first..marker.first + job.count.count())?;
        }
        self.delete_marker(connection)?;
        job.count.set(job.spec.count);
        Ok(removed)
    }

    fn stage(&self, stage: &Stage, settings: &Settings) -> Result<Box<dyn Workload>, WorkloadError> {
        self.check_connections(stage.connections)?;
        let job = self.job();
        let objects = job.objects().of_part(stage.part, job.count.own.load(Ordering::Acquire));
        let prepared = stage::prepared(stage, settings, objects, |objects, threads| StoreStage {
            connect: self.sessions(Arc::clone(&objects), stage.pipeline as usize),
            objects,
            connections: usize::try_from(stage.connections).unwrap_or(usize::MAX),
            threads,
            name: job.server.address.to_string(),
            part: stage.part,
            object_count: job.count.clone(),
            checklist: Self::CHECKLIST,
        })?;
        Ok(Box::new(prepared))
    }
}

/// Returns an evenly spaced sample of the keys, including the first and the last.
fn sample(first: u64, count: u64) -> impl Iterator<Item = u64> {
    let size = SAMPLE.min(count);
    let offset = move |number: u64| u128::from(number) * u128::from(count - 1) / u128::from(size.max(2) - 1);
    (0..size).map(move |number| first + u64::try_from(offset(number)).unwrap_or(0))
}

/// Returns the estimated number of objects that an interrupted load did not write, if `existing` of `sampled` keys exist.
fn estimate_missing(count: u64, sampled: usize, existing: usize) -> u64 {
    let share = u128::from(count) * (sampled - existing) as u128 / sampled.max(1) as u128;
    u64::try_from(share).unwrap_or(count)
}

/// Maximum number of objects whose keys are all checked. Checking more would take longer than a minute.
const MOST_CHECKED: u64 = 10_000_000;
const CHECKED_TOGETHER: u64 = 1_000;

/// Returns the keys to check before anything is written, in batches: all keys, or a sample if the database is empty or there are
/// more than [`MOST_CHECKED`] keys.
fn keys_to_check(first: u64, count: u64, is_empty: bool) -> Box<dyn Iterator<Item = Vec<u64>>> {
    if is_empty || count > MOST_CHECKED {
        return Box::new(std::iter::once(sample(first, count).collect()));
    }
    let edge = move |batch: u64| first + (batch * CHECKED_TOGETHER).min(count);
    Box::new((0..count.div_ceil(CHECKED_TOGETHER)).map(move |batch| (edge(batch)..edge(batch + 1)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_checked_where_the_database_is_not_empty_and_they_are_few_enough() {
        let numbers = |count, is_empty| keys_to_check(7, count, is_empty).flatten().collect::<Vec<u64>>();
        assert_eq!(numbers(2_500, false), (7..2_507).collect::<Vec<_>>());
        assert_eq!(numbers(2_500, true).len() as u64, SAMPLE);
        assert_eq!(numbers(MOST_CHECKED + 1, false).len() as u64, SAMPLE);
    }

    #[test]
    fn a_sample_has_both_ends_and_no_key_twice() {
        for count in [1, 2, 3, 999, 1_000, 1_001, 2_000_000_000] {
            let keys: Vec<u64> = sample(5, count).collect();
            assert_eq!(keys.len() as u64, SAMPLE.min(count));
            assert_eq!((keys[0], keys[keys.len() - 1]), (5, 5 + count - 1));
            assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
