//! A drive as a model: pages in blocks that are erased as a whole, collection of the block with the fewest valid pages, a write
//! cache, heat, wear, and housekeeping of its own. Times are the model's; none is read from a clock.

use measure::random;

const NOWHERE: u32 = u32::MAX;
/// Blocks that collection keeps free.
const FREE_BLOCKS: usize = 3;
/// Moving a page is a read and a write.
const MOVE_COST: f64 = 1.5;

/// What kind of drive.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    pub pages: u32,
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
    pub seed: u64,
}

impl Settings {
    pub fn usual() -> Self {
        Self {
            pages: 16_384,
            pages_per_block: 64,
            spare_ratio: 0.15,
            page_s: 0.02,
            cache_pages: 0,
            hot_c: None,
            housekeeping_s: None,
            seed: 1,
        }
    }
}

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
    pub host_pages: u64,
    pub media_pages: u64,
    pub elapsed_s: f64,
    pub throttled_s: f64,
    writes: u64,
}

impl SimulatedDrive {
    pub fn new(settings: Settings) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small drive")]
        let blocks = (f64::from(settings.pages) * (1.0 + settings.spare_ratio)) as u32 / settings.pages_per_block;
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
            temperature_c: 30.0,
            is_throttled: false,
            host_pages: 0,
            media_pages: 0,
            elapsed_s: 0.0,
            throttled_s: 0.0,
            writes: 0,
        }
    }

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

    /// Writes pages at random for so long; returns how many.
    pub fn write_at_random(&mut self, seconds: f64) -> u64 {
        let (end_s, before) = (self.elapsed_s + seconds, self.host_pages);
        while self.elapsed_s < end_s {
            let bits = random::bits(self.settings.seed, 9, self.writes);
            self.writes += 1;
            self.write(random::below(u64::from(self.settings.pages), bits));
        }
        self.host_pages - before
    }

    /// Writes one page behind the other from this one on for so long; returns how many.
    pub fn write_in_order(&mut self, first: u64, seconds: f64) -> u64 {
        let (end_s, before) = (self.elapsed_s + seconds, self.host_pages);
        while self.elapsed_s < end_s {
            self.write((first + self.host_pages - before) % u64::from(self.settings.pages));
        }
        self.host_pages - before
    }

    /// Leaves the drive alone: it empties its cache, and collects blocks while there is room to gain.
    pub fn idle(&mut self, seconds: f64) {
        let end_s = self.elapsed_s + seconds;
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

    pub fn fill(&mut self) {
        (0..u64::from(self.settings.pages)).for_each(|page| self.write(page));
    }

    /// Most erasures of a block, and the mean of all.
    pub fn wear(&self) -> (u32, f64) {
        let sum: u32 = self.erases.iter().sum();
        (self.erases.iter().copied().max().unwrap_or(0), f64::from(sum) / self.erases.len() as f64)
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
        let blocks = 0..u32::try_from(self.valid.len()).expect("a small drive");
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
        let mut factor = if is_cached { 0.2 } else { 1.0 + MOVE_COST * moved };
        if let Some((every_s, lasts_s)) = self.settings.housekeeping_s
            && self.elapsed_s % every_s < lasts_s
        {
            factor *= 5.0;
        }
        if self.is_throttled {
            factor *= 4.0;
        }
        let spent_s = factor * self.settings.page_s;
        self.elapsed_s += spent_s;
        if self.is_throttled {
            self.throttled_s += spent_s;
        }
        // Each page on the flash warms the drive, and it cools towards 30 degrees within minutes.
        self.temperature_c += 0.01 * (1.0 + moved) - (self.temperature_c - 30.0) * spent_s / 120.0;
        if let Some(hot_c) = self.settings.hot_c {
            self.is_throttled = self.temperature_c > if self.is_throttled { hot_c - 10.0 } else { hot_c };
        }
    }
}
