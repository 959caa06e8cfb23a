//! A drive as a model: pages in blocks that are erased as a whole, collection of the block with the fewest valid pages, a write
//! cache, heat, wear, and housekeeping of its own. Times are the model's; none is read from a clock.

use serde::{Deserialize, Serialize};

/// Bytes of a page, which is also the smallest unit that the model is written and read in.
pub const PAGE_BYTES: u32 = 4096;
const NOWHERE: u32 = u32::MAX;
/// Blocks that collection keeps free.
const FREE_BLOCKS: usize = 3;
/// Moving a page is a read and a write.
const MOVE_COST: f64 = 1.5;
/// Reading a page takes this part of the time of a write.
const READ_COST: f64 = 0.25;
/// Degrees by which a second of writing to the flash warms the drive.
const WARMING_C_PER_S: f64 = 0.5;
/// The drive cools towards this temperature,
const SURROUNDINGS_C: f64 = 30.0;
/// with this time constant.
const COOLING_S: f64 = 120.0;
/// Unit of the counts of data in log page 02h.
const DATA_UNIT_BYTES: u64 = 512_000;
/// Erasures that a block endures.
const ENDURED_ERASES: f64 = 3_000.0;

/// What kind of drive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What it offers, in pages of 4 KiB.
    pub pages: u32,
    /// Pages that are erased together.
    pub pages_per_block: u32,
    /// Spare flash, as a part of what the drive offers.
    pub spare_ratio: f64,
    /// Seconds to write a page to the flash.
    pub page_s: f64,
    /// Pages that the write cache takes after a purge, at a fifth of the time.
    pub cache_pages: u32,
    /// Degrees above which the drive slows itself down to a quarter until it is 10 degrees cooler; none: it never does.
    pub hot_c: Option<f64>,
    /// The drive does work of its own, at a fifth of its rate: so often, so long, in seconds.
    pub housekeeping_s: Option<(f64, f64)>,
}

impl Settings {
    /// Returns what is wrong with them, if anything.
    #[must_use]
    pub fn objection(&self) -> Option<&'static str> {
        let blocks = self.blocks();
        if !(1_024..=1_048_576).contains(&self.pages) || !(16..=1_024).contains(&self.pages_per_block) {
            Some("pages must lie between 1,024 and 1,048,576, pages_per_block between 16 and 1,024")
        } else if !(self.spare_ratio > 0.0 && self.spare_ratio <= 1.0 && self.page_s >= 1e-6 && self.page_s <= 1.0) {
            Some("spare_ratio must lie between 0 and 1, page_s between 0.000001 and 1")
        } else if (blocks as usize) < self.pages.div_ceil(self.pages_per_block) as usize + FREE_BLOCKS + 2 {
            Some("the spare flash is less than five blocks; choose more pages, more spare or smaller blocks")
        } else if self.housekeeping_s.is_some_and(|(every_s, lasts_s)| !(every_s > 0.0 && lasts_s >= 0.0)) {
            Some("housekeeping_s needs two times, how often and how long")
        } else {
            None
        }
    }

    /// Blocks of the flash, with the spare ones.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small drive")]
    fn blocks(&self) -> u32 {
        (f64::from(self.pages) * (1.0 + self.spare_ratio)) as u32 / self.pages_per_block.max(1)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            pages: 16_384,
            pages_per_block: 64,
            spare_ratio: 0.15,
            page_s: 0.02,
            cache_pages: 0,
            hot_c: None,
            housekeeping_s: None,
        }
    }
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimulatedDrive {
    settings: Settings,
    /// By page: its place on the flash.
    place: Vec<u32>,
    /// By place on the flash: its page.
    page: Vec<u32>,
    /// By block: valid pages.
    valid: Vec<u32>,
    erases: Vec<u32>,
    free: Vec<u32>,
    block: u32,
    next: u32,
    cached_pages: u32,
    temperature_c: f64,
    is_throttled: bool,
    /// Pages that were written to it,
    pub host_pages: u64,
    /// and pages that it wrote to its flash.
    pub media_pages: u64,
    /// Pages that were read from it.
    pub read_pages: u64,
    /// Its clock.
    pub elapsed_s: f64,
    /// Time in which it slowed itself down.
    pub throttled_s: f64,
}

impl SimulatedDrive {
    /// Returns a new drive.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let blocks = settings.blocks();
        Self {
            settings,
            place: vec![NOWHERE; settings.pages as usize],
            page: vec![NOWHERE; (blocks * settings.pages_per_block) as usize],
            valid: vec![0; blocks as usize],
            erases: vec![0; blocks as usize],
            free: (1..blocks).collect(),
            block: 0,
            next: 0,
            cached_pages: 0,
            temperature_c: SURROUNDINGS_C,
            is_throttled: false,
            host_pages: 0,
            media_pages: 0,
            read_pages: 0,
            elapsed_s: 0.0,
            throttled_s: 0.0,
        }
    }

    /// Returns what it was made of.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns what it offers.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        u64::from(self.settings.pages) * u64::from(PAGE_BYTES)
    }

    /// Forgets what it holds, as after TRIM or a format. Wear, heat and counters stay.
    pub fn purge(&mut self) {
        let blocks = self.settings.blocks();
        self.place.fill(NOWHERE);
        self.page.fill(NOWHERE);
        self.valid.fill(0);
        (self.free, self.block, self.next, self.cached_pages) = ((1..blocks).collect(), 0, 0, 0);
    }

    /// Reads a page.
    pub fn read(&mut self) {
        self.read_pages += 1;
        self.take(READ_COST * self.slowness() * self.settings.page_s, 0.0);
    }

    /// Writes a page.
    ///
    /// # Panics
    /// Where there is no such page.
    pub fn write(&mut self, page: u64) {
        let page = u32::try_from(page).expect("a small drive");
        let before = self.media_pages;
        self.forget(page);
        self.put(page);
        while self.free.len() < FREE_BLOCKS {
            self.collect();
        }
        self.host_pages += 1;
        self.spend((self.media_pages - before) as f64 - 1.0);
    }

    /// Leaves the drive alone: it cools, empties its cache, and collects blocks while there is room to gain.
    pub fn idle(&mut self, seconds: f64) {
        let end_s = self.elapsed_s + seconds;
        self.temperature_c = SURROUNDINGS_C + (self.temperature_c - SURROUNDINGS_C) * (-seconds / COOLING_S).exp();
        while self.elapsed_s < end_s && self.cached_pages > 0 {
            self.cached_pages -= 1;
            self.elapsed_s += self.settings.page_s;
        }
        let most_free = self.valid.len() / 10;
        while self.elapsed_s < end_s && self.free.len() < most_free {
            let before = self.media_pages;
            self.collect();
            self.elapsed_s += MOVE_COST * (self.media_pages - before) as f64 * self.settings.page_s;
        }
        self.elapsed_s = self.elapsed_s.max(end_s);
    }

    /// Most erasures of a block, and the mean of all.
    #[must_use]
    pub fn wear(&self) -> (u32, f64) {
        let sum: u32 = self.erases.iter().sum();
        (self.erases.iter().copied().max().unwrap_or(0), f64::from(sum) / self.erases.len() as f64)
    }

    /// Returns its counters, as log pages 02h and C0h count: data in units rounded up, time in whole seconds, wear in per cent.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "none is below 0, and all are small")]
    pub fn counters(&self) -> [(&'static str, u64); 7] {
        let page_bytes = u64::from(PAGE_BYTES);
        let in_units = |pages: u64| (pages * page_bytes).div_ceil(DATA_UNIT_BYTES) * DATA_UNIT_BYTES;
        [
            ("smart.host_written_bytes", in_units(self.host_pages)),
            ("smart.host_read_bytes", in_units(self.read_pages)),
            ("smart.temperature_k", (self.temperature_c + 273.0) as u64),
            ("smart.percentage_used", (100.0 * self.wear().1 / ENDURED_ERASES) as u64),
            ("smart.thermal_management_1_s", self.throttled_s as u64),
            ("smart.thermal_management_2_s", 0),
            ("extended.media_written_bytes", self.media_pages * page_bytes),
        ]
    }

    fn forget(&mut self, page: u32) {
        let place = std::mem::replace(&mut self.place[page as usize], NOWHERE);
        if place != NOWHERE {
            self.page[place as usize] = NOWHERE;
            self.valid[(place / self.settings.pages_per_block) as usize] -= 1;
        }
    }

    fn put(&mut self, page: u32) {
        if self.next == self.settings.pages_per_block {
            (self.block, self.next) = (self.free.pop().expect("collection keeps blocks free"), 0);
        }
        let place = self.block * self.settings.pages_per_block + self.next;
        (self.place[page as usize], self.page[place as usize]) = (place, page);
        self.valid[self.block as usize] += 1;
        self.next += 1;
        self.media_pages += 1;
    }

    fn collect(&mut self) {
        let is_full = |block: &u32| *block != self.block && !self.free.contains(block);
        let blocks = 0..self.settings.blocks();
        let victim = blocks.filter(is_full).min_by_key(|block| self.valid[*block as usize]).expect("a full block");
        let first = victim * self.settings.pages_per_block;
        for place in first..first + self.settings.pages_per_block {
            let page = self.page[place as usize];
            if page != NOWHERE {
                self.forget(page);
                self.put(page);
            }
        }
        self.erases[victim as usize] += 1;
        self.free.insert(0, victim);
    }

    /// Lets the time of a write pass in which so many pages were moved.
    fn spend(&mut self, moved: f64) {
        let is_cached = self.cached_pages < self.settings.cache_pages;
        self.cached_pages += u32::from(is_cached);
        let cost = if is_cached { 0.2 } else { 1.0 + MOVE_COST * moved };
        self.take(cost * self.slowness() * self.settings.page_s, 1.0 + moved);
    }

    /// Returns how many times as long everything takes now.
    fn slowness(&self) -> f64 {
        let is_busy = |(every_s, lasts_s): (f64, f64)| self.elapsed_s % every_s < lasts_s;
        let housekeeping = if self.settings.housekeeping_s.is_some_and(is_busy) { 5.0 } else { 1.0 };
        if self.is_throttled { 4.0 * housekeeping } else { housekeeping }
    }

    /// Lets so much time pass, in which so many pages were written to the flash.
    fn take(&mut self, spent_s: f64, pages: f64) {
        self.elapsed_s += spent_s;
        if self.is_throttled {
            self.throttled_s += spent_s;
        }
        let warmer_c = WARMING_C_PER_S * pages * self.settings.page_s;
        self.temperature_c += warmer_c - (self.temperature_c - SURROUNDINGS_C) * spent_s / COOLING_S;
        if let Some(hot_c) = self.settings.hot_c {
            self.is_throttled = self.temperature_c > if self.is_throttled { hot_c - 10.0 } else { hot_c };
        }
    }
}
