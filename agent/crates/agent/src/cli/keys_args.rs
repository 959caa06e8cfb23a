//! What can be typed about keys and plans: `keys` and `explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("question").args(["law", "name"]).required(true)))]
pub struct KeysArgs {
    /// Draw keys by this law and print their shares.
    #[arg(long, value_enum)]
    pub law: Option<DistributionName>,
    /// How many keys there are.
    #[arg(long, requires = "law")]
    pub items: Option<u64>,
    /// The first key.
    #[arg(long, default_value_t = 0)]
    pub start: u64,
    /// Skew of zipfian, latest and zipf (below 1), exponent of exact-zipf.
    #[arg(long, default_value_t = ::keys::chooser::YCSB_THETA)]
    pub theta: f64,
    /// Keys that inserts are expected to add (zipfian): they take part in hashing from the start, as in YCSB.
    #[arg(long, default_value_t = 0)]
    pub new_keys: u64,
    /// Share of keys that are hot (hotspot).
    #[arg(long, default_value_t = 0.2)]
    pub hot_data: f64,
    /// Share of operations that go to hot keys (hotspot).
    #[arg(long, default_value_t = 0.8)]
    pub hot_operations: f64,
    /// Per cent of operations that go to the newest share of keys (exponential).
    #[arg(long, default_value_t = 95.0)]
    pub percentile: f64,
    /// That share of keys (exponential).
    #[arg(long, default_value_t = 0.857_142_857_1)]
    pub fraction: f64,
    /// Standard deviation in keys (gauss); a sixth of the range when not given.
    #[arg(long)]
    pub deviation: Option<f64>,
    /// Centre as a key number (gauss); the middle when not given.
    #[arg(long)]
    pub centre: Option<f64>,
    /// How many keys to draw.
    #[arg(long, default_value_t = 10_000_000)]
    pub draws: u64,
    /// Another seed draws other keys by the same law.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print what this tool calls a key number.
    #[arg(long, value_enum)]
    pub name: Option<KeyNameFormat>,
    /// The key number; below 0 only for ycsb, whose numbers are signed.
    #[arg(long, requires = "name", allow_negative_numbers = true)]
    pub number: Option<i128>,
    /// Keys in the order of their numbers instead of hashed ones (ycsb).
    #[arg(long, requires = "name")]
    pub ordered: bool,
    /// Fewest digits (ycsb).
    #[arg(long, requires = "name", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=64))]
    pub zeropadding: u8,
    /// Add Aerospike's digest and partition of the key in this set.
    #[arg(long, requires = "name", value_name = "SET")]
    pub digest: Option<String>,
    /// Add the slot of the key in a Redis cluster.
    #[arg(long, requires = "name")]
    pub slot: bool,
    /// JSON is the only form; accepted for symmetry with other commands.
    #[arg(long, hide = true)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A plan (TOML, workload fraud or keyvalue), or a property file of YCSB.
    pub plan: PathBuf,
    /// How many agents share the load; else as the plan says, or one.
    #[arg(long)]
    pub agents: Option<u32>,
    /// JSON is the only form; accepted for symmetry with other commands.
    #[arg(long, hide = true)]
    pub json: bool,
}

/// Laws of key choice, by the names of the tools that have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DistributionName {
    /// Every key alike.
    Uniform,
    /// YCSB's: a Zipf rank, hashed onto the keys.
    Zipfian,
    /// YCSB's: the newest keys most.
    Latest,
    /// YCSB's: a share of operations on a share of keys.
    Hotspot,
    /// One after the other.
    Sequential,
    /// YCSB's: newer keys more.
    Exponential,
    /// memtier's pattern G.
    Gauss,
    /// A Zipf rank as it is: lengths in YCSB.
    Zipf,
    /// memtier's pattern Z.
    ExactZipf,
}

/// Tools that name keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyNameFormat {
    /// `user` and a hash.
    Ycsb,
    /// `memtier-` and the number.
    Memtier,
    /// An integer.
    Asbench,
    /// `obj` and the number; an integer in Aerospike.
    Fraud,
}
