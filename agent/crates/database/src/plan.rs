//! The plan of a database run: what a transaction is, how many per second, and against which server.
//!
//! Decides the defaults and which plans are refused before anything is touched. The names follow the plan file.

use measure::series::WorkloadError;
use serde::{Deserialize, Serialize};

/// Which driver reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DriverChoice {
    /// Redis or Valkey.
    #[default]
    Redis,
    /// No server: a seeded latency for each read, the same on every machine.
    Null,
}

/// A fraud check: many reads one after the other, all inside one window of time.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FraudPlan {
    /// `host:port`, or `unix:/path/of/socket`.
    pub address: String,
    /// Name of the user, where the server knows users.
    #[serde(default)]
    pub username: Option<String>,
    /// Password; never leaves this machine (it is left out when the plan is sent).
    #[serde(default, skip_serializing)]
    pub password: Option<String>,
    /// Number of the logical database.
    #[serde(default)]
    pub logical_database: i64,
    /// Which driver.
    #[serde(default)]
    pub driver: DriverChoice,
    /// Reads of one transaction, one after the other.
    #[serde(default = "default_reads")]
    pub reads_per_transaction: u32,
    /// Time in which a transaction must have all its data.
    #[serde(default = "default_window_ns")]
    pub window_ns: u64,
    /// Transactions that are begun each second.
    #[serde(default = "default_rate")]
    pub transactions_per_s: f64,
    /// Connections, each with a worker thread.
    #[serde(default = "default_connections")]
    pub connections: u32,
    /// Number of keys, read uniformly at random.
    #[serde(default = "default_keys")]
    pub keys: u64,
    /// Size of each value.
    #[serde(default = "default_value_bytes")]
    pub value_bytes: u32,
    /// A read that takes longer is given up and counted as a time-out.
    #[serde(default = "default_read_timeout_ns")]
    pub read_timeout_ns: u64,
    /// Source of the keys' order.
    #[serde(default = "default_seed")]
    pub seed: u64,
}

fn default_reads() -> u32 {
    250
}

fn default_window_ns() -> u64 {
    1_000_000_000
}

fn default_rate() -> f64 {
    105.0
}

fn default_connections() -> u32 {
    4
}

fn default_keys() -> u64 {
    100_000
}

fn default_value_bytes() -> u32 {
    1024
}

fn default_read_timeout_ns() -> u64 {
    10_000_000_000
}

fn default_seed() -> u64 {
    1
}

impl std::fmt::Debug for FraudPlan {
    /// Everything but the password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let password = if self.password.is_some() { "given" } else { "none" };
        formatter
            .debug_struct("FraudPlan")
            .field("address", &self.address)
            .field("password", &password)
            .field("driver", &self.driver)
            .field("reads_per_transaction", &self.reads_per_transaction)
            .field("window_ns", &self.window_ns)
            .field("transactions_per_s", &self.transactions_per_s)
            .field("connections", &self.connections)
            .field("keys", &self.keys)
            .field("value_bytes", &self.value_bytes)
            .finish_non_exhaustive()
    }
}

impl FraudPlan {
    /// A plan for `address` with every default.
    #[must_use]
    pub fn new(address: String) -> Self {
        Self {
            address,
            username: None,
            password: None,
            logical_database: 0,
            driver: DriverChoice::default(),
            reads_per_transaction: default_reads(),
            window_ns: default_window_ns(),
            transactions_per_s: default_rate(),
            connections: default_connections(),
            keys: default_keys(),
            value_bytes: default_value_bytes(),
            read_timeout_ns: default_read_timeout_ns(),
            seed: default_seed(),
        }
    }

    /// Checks the values; connects to nothing.
    ///
    /// # Errors
    /// Names the field, its value and what is allowed.
    pub fn validate(&self) -> Result<(), WorkloadError> {
        let within = |name: &str, value: u64, lowest: u64, highest: u64| {
            if (lowest..=highest).contains(&value) {
                return Ok(());
            }
            Err(WorkloadError(format!("fraud plan: {name} is {value}; it must lie between {lowest} and {highest}")))
        };
        within("reads_per_transaction", self.reads_per_transaction.into(), 1, 1_000_000)?;
        within("window_ns", self.window_ns, 1_000, 3_600_000_000_000)?;
        within("connections", self.connections.into(), 1, 4096)?;
        within("keys", self.keys, 1, 10_000_000_000)?;
        within("value_bytes", self.value_bytes.into(), 1, 64 << 20)?;
        within("read_timeout_ns", self.read_timeout_ns, 1_000_000, 3_600_000_000_000)?;
        if !(0.000_001..=10_000_000.0).contains(&self.transactions_per_s) {
            return Err(WorkloadError(format!(
                "fraud plan: transactions_per_s is {}; it must lie between 0.000001 and 10000000",
                self.transactions_per_s
            )));
        }
        if self.address.is_empty() {
            return Err(WorkloadError("fraud plan: address is empty; give host:port or unix:/path/of/socket".into()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_only_an_address_has_every_default() {
        let plan: FraudPlan = toml::from_str("address = \"127.0.0.1:6400\"").expect("readable");
        assert!(plan == FraudPlan::new("127.0.0.1:6400".into()));
        assert!(plan.validate().is_ok());
        assert_eq!((plan.reads_per_transaction, plan.connections), (250, 4));
    }

    #[test]
    fn an_unknown_field_is_named() {
        let error = toml::from_str::<FraudPlan>("address = \"a:1\"\nread_per_transaction = 2").expect_err("refused");
        assert!(error.to_string().contains("read_per_transaction"));
    }

    #[test]
    fn the_password_is_neither_sent_nor_printed() {
        let plan = FraudPlan { password: Some("hunter2".into()), ..FraudPlan::new("a:1".into()) };
        assert!(!toml::to_string(&plan).expect("written").contains("hunter2"));
        assert!(!format!("{plan:?}").contains("hunter2"));
    }

    #[test]
    fn each_bad_value_is_named() {
        let refused = |change: fn(&mut FraudPlan)| {
            let mut plan = FraudPlan::new("a:1".into());
            change(&mut plan);
            plan.validate().expect_err("refused").to_string()
        };
        assert!(refused(|plan| plan.address = String::new()).contains("address"));
        assert!(refused(|plan| plan.reads_per_transaction = 0).contains("reads_per_transaction"));
        assert!(refused(|plan| plan.transactions_per_s = f64::NAN).contains("transactions_per_s"));
        assert!(refused(|plan| plan.connections = 0).contains("connections"));
        assert!(refused(|plan| plan.keys = 0).contains("keys"));
        assert!(refused(|plan| plan.value_bytes = 0).contains("value_bytes"));
        assert!(refused(|plan| plan.read_timeout_ns = 0).contains("read_timeout_ns"));
    }
}
