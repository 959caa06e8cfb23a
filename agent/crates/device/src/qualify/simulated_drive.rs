//! A simulated drive: blocks of pages that are erased as a whole, garbage collection of the block with the fewest valid pages, a
//! write cache, temperature, wear, and background housekeeping. All times are simulated.

use serde::{Deserialize, Serialize};

/// Size of a page in bytes, which is the unit of reads and writes.
pub const PAGE_BYTES: u32 = 4096;
const UNMAPPED: u32 = u32::MAX;
/// Number of blocks that garbage collection keeps free.
const FREE_BLOCKS: usize = 3;
/// Time to move a page, relative to writing one.
const MOVE_COST: f64 = 1.5;
/// Time to read a page, relative to writing one.
const READ_COST: f64 = 0.25;
/// Rise of the temperature per second of writing to the flash, in degrees Celsius.
const WARMING_C_PER_S: f64 = 0.5;
/// Temperature that the drive cools down to, in degrees Celsius.
const SURROUNDINGS_C: f64 = 30.0;
/// Time constant of cooling, in seconds.
const COOLING_S: f64 = 120.0;
/// Unit in bytes of the data counts in log page 02h.
const DATA_UNIT_BYTES: u64 = 512_000;
/// Number of erasures after which a block is worn out.
const ENDURED_ERASES: f64 = 3_000.0;

/// Properties of a simulated drive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Capacity in pages of 4 KiB.
    pub pages: u32,
    /// Number of pages in a block, which are erased together.
    pub pages_per_block: u32,
    /// Ratio of spare flash to capacity.
    pub spare_ratio: f64,
    /// Time to write a page to the flash, in seconds.
    pub page_s: f64,
    /// Number of pages that the write cache holds after a purge; they are written in a fifth of the time.
    pub cache_pages: u32,
    /// Temperature in degrees Celsius above which the drive throttles to a quarter of its speed until it is 10 degrees cooler;
    /// `None` if it never throttles.
    pub hot_c: Option<f64>,
    /// Interval and duration of background housekeeping in seconds, during which the drive has a fifth of its speed, if any.
    pub housekeeping_s: Option<(f64, f64)>,
}

impl Settings {
    /// Returns a description of the first invalid setting, or `None` if all are valid.
    pub fn problem(&self) -> Option<&'static str> {
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

    /// Returns the number of blocks of the flash, including spare ones.
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

/// A simulated drive with its contents, wear and clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimulatedDrive {
    pub settings: Settings,
    /// Position of each page in the flash.
    place: Vec<u32>,
    /// Page at each position of the flash.
    page: Vec<u32>,
    valid: Vec<u32>,
    erases: Vec<u32>,
    free: Vec<u32>,
    block: u32,
    next: u32,
    cached_pages: u32,
    temperature_c: f64,
    is_throttled: bool,
    pub host_pages: u64,
    pub media_pages: u64,
    pub read_pages: u64,
    /// Simulated time since the drive was new, in seconds.
    pub elapsed_s: f64,
    /// Time during which the drive was throttled, in seconds.
    pub throttled_s: f64,
}

impl SimulatedDrive {
    /// Returns a new drive.
    pub fn new(settings: Settings) -> Self {
        let blocks = settings.blocks();
        Self {
            settings,
            place: vec![UNMAPPED; settings.pages as usize],
            page: vec![UNMAPPED; (blocks * settings.pages_per_block) as usize],
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

    /// Returns the capacity, in bytes.
    pub fn size_bytes(&self) -> u64 {
        u64::from(self.settings.pages) * u64::from(PAGE_BYTES)
    }

    /// Erases all contents, as TRIM or a format does. Wear, temperature and counters remain.
    pub fn purge(&mut self) {
        let blocks = self.settings.blocks();
        self.place.fill(UNMAPPED);
        self.page.fill(UNMAPPED);
        self.valid.fill(0);
        (self.free, self.block, self.next, self.cached_pages) = ((1..blocks).collect(), 0, 0, 0);
    }

    /// Reads a page.
    pub fn read(&mut self) {
        self.read_pages += 1;
        self.advance(READ_COST * self.slowness() * self.settings.page_s, 0.0);
    }

    /// Writes a page.
    pub fn write(&mut self, page: u64) {
        let page = u32::try_from(page).expect("a small drive");
        let before = self.media_pages;
        self.unmap(page);
        self.map_page(page);
        while self.free.len() < FREE_BLOCKS {
            self.collect();
        }
        self.host_pages += 1;
        self.advance_by_write((self.media_pages - before) as f64 - 1.0);
    }

    /// Lets the drive be idle for `seconds`: it cools, writes out its cache, and collects blocks as long as that frees space.
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

    /// Returns the largest number of erasures of a block, and the mean over all blocks.
    pub fn wear(&self) -> (u32, f64) {
        let sum: u32 = self.erases.iter().sum();
        (self.erases.iter().copied().max().unwrap_or(0), f64::from(sum) / self.erases.len() as f64)
    }

    /// Returns counters in the units of log pages 02h and C0h: data rounded up, times in whole seconds, wear in per cent.
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

    fn unmap(&mut self, page: u32) {
        let place = std::mem::replace(&mut self.place[page as usize], UNMAPPED);
        if place != UNMAPPED {
            self.page[place as usize] = UNMAPPED;
            self.valid[(place / self.settings.pages_per_block) as usize] -= 1;
        }
    }

    fn map_page(&mut self, page: u32) {
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
            if page != UNMAPPED {
                self.unmap(page);
                self.map_page(page);
            }
        }
        self.erases[victim as usize] += 1;
        self.free.insert(0, victim);
    }

    /// Advances the time by that of a write during which `moved` pages were moved.
    fn advance_by_write(&mut self, moved: f64) {
        let is_cached = self.cached_pages < self.settings.cache_pages;
        self.cached_pages += u32::from(is_cached);
        let cost = if is_cached { 0.2 } else { 1.0 + MOVE_COST * moved };
        self.advance(cost * self.slowness() * self.settings.page_s, 1.0 + moved);
    }

    /// Returns the factor by which operations currently take longer.
    fn slowness(&self) -> f64 {
        let is_busy = |(every_s, lasts_s): (f64, f64)| self.elapsed_s % every_s < lasts_s;
        let housekeeping = if self.settings.housekeeping_s.is_some_and(is_busy) { 5.0 } else { 1.0 };
        if self.is_throttled { 4.0 * housekeeping } else { housekeeping }
    }

    /// Advances the time by `spent_s`, during which `pages` pages were written to the flash.
    fn advance(&mut self, spent_s: f64, pages: f64) {
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
