//! Sizes of values.

use keys::chooser::YCSB_THETA;
use serde::Serialize;

use crate::error::PlanError;

pub(crate) const LARGEST_BYTES: u32 = 64 << 20;

/// Size of values, or of the fields of a record, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Size {
    /// All have the same size.
    Constant(u32),
    Varied(Varied),
}

/// A distribution of sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "law", rename_all = "kebab-case")]
pub enum Varied {
    /// Uniform, drawn for each version of a value.
    Uniform { least: u32, most: u32 },
    /// Zipf's distribution with small sizes most frequent, as YCSB draws them.
    Zipfian { least: u32, most: u32 },
    /// Sizes with their weights, drawn for each version of a value.
    Listed { lengths: Vec<(u32, u32)> },
    /// Growing with the key: the first key has the smallest value, the last key the largest.
    Linear { least: u32, most: u32 },
}

impl Size {
    /// Returns the smallest and the largest size, in bytes.
    pub fn bounds(&self) -> (u32, u32) {
        match self {
            Self::Constant(bytes) => (*bytes, *bytes),
            Self::Varied(
                Varied::Uniform { least, most } | Varied::Zipfian { least, most } | Varied::Linear { least, most },
            ) => (*least, *most),
            Self::Varied(Varied::Listed { lengths }) => {
                let all = || lengths.iter().map(|(bytes, _)| *bytes);
                (all().min().unwrap_or(0), all().max().unwrap_or(0))
            }
        }
    }

    /// Returns the mean size, in bytes.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Constant(bytes) => f64::from(*bytes),
            Self::Varied(Varied::Uniform { least, most } | Varied::Linear { least, most }) => {
                f64::midpoint(f64::from(*least), f64::from(*most))
            }
            Self::Varied(Varied::Zipfian { least, most }) => {
                let ranks = keys::zipf::Gray::new(u64::from(most - least) + 1, YCSB_THETA);
                let share = |rank: u64| ranks.share_below(rank + 1) - ranks.share_below(rank);
                (0..=u64::from(most - least)).map(|rank| (u64::from(*least) + rank) as f64 * share(rank)).sum()
            }
            Self::Varied(Varied::Listed { lengths }) => {
                let weights: f64 = lengths.iter().map(|(_, weight)| f64::from(*weight)).sum();
                lengths.iter().map(|(bytes, weight)| f64::from(*bytes) * f64::from(*weight)).sum::<f64>() / weights
            }
        }
    }

    /// Parses options of `memtier_benchmark`: a range such as `32-1024`, a list such as `32:1,1024:3`, and the pattern `R` or `S`.
    pub(crate) fn of_memtier(
        bytes: u32,
        (range, list, pattern): (Option<&str>, Option<&str>, &str),
    ) -> Result<Self, PlanError> {
        const KEY: &str = "data_size_range";
        let size = match (range, list) {
            (None, None) => Self::Constant(bytes),
            (Some(_), Some(_)) => {
                let sentence = "says the same as data_size_range; leave one of them out";
                return Err(PlanError::field("data_size_list", sentence));
            }
            (Some(range), None) => {
                let sentence = || format!("is `{range}`; write least-most in bytes, such as 32-1024");
                let (least, most) = parsed(range, '-').ok_or_else(|| PlanError::field(KEY, sentence()))?;
                if least > most {
                    return Err(PlanError::field(KEY, sentence()));
                }
                match pattern {
                    "R" => Self::Varied(Varied::Uniform { least, most }),
                    "S" => Self::Varied(Varied::Linear { least, most }),
                    other => {
                        let sentence = format!("is `{other}`; write R (drawn) or S (it grows with the key)");
                        return Err(PlanError::field("data_size_pattern", sentence));
                    }
                }
            }
            (None, Some(list)) => {
                let lengths: Option<Vec<(u32, u32)>> = list.split(',').map(|part| parsed(part, ':')).collect();
                let weighs = |lengths: &Vec<(u32, u32)>| lengths.iter().all(|(_, weight)| *weight > 0);
                let lengths = lengths.filter(weighs).ok_or_else(|| {
                    let sentence = format!("is `{list}`; write bytes:weight,bytes:weight, such as 32:3,1024:1");
                    PlanError::field("data_size_list", sentence)
                })?;
                Self::Varied(Varied::Listed { lengths })
            }
        };
        let sentence = "goes with data_size_range; leave it out, or give the range";
        PlanError::require(pattern == "R" || range.is_some(), "data_size_pattern", sentence)?;
        let (least, most) = size.bounds();
        if least == 0 || most > LARGEST_BYTES {
            let field = if list.is_some() {
                "data_size_list"
            } else if range.is_some() {
                KEY
            } else {
                "object_bytes"
            };
            let sizes = if least == most { format!("{most} B") } else { format!("{least} to {most} B") };
            let sentence = format!("is {sizes}; values must have between 1 B and 64 MiB");
            return Err(PlanError::field(field, sentence));
        }
        Ok(size)
    }
}

/// Returns the two numbers that are separated by `sign`, or `None` if the text has a different form.
pub(crate) fn parsed(text: &str, sign: char) -> Option<(u32, u32)> {
    let (first, second) = text.split_once(sign)?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_memtier_writes_them() {
        let read =
            |range, list, pattern| Size::of_memtier(32, (range, list, pattern)).map_err(|error| error.to_string());
        assert_eq!(read(None, None, "R"), Ok(Size::Constant(32)));
        let uniform = read(Some("32-1024"), None, "R").expect("a range");
        assert_eq!((uniform.bounds(), uniform.mean()), ((32, 1024), 528.0));
        assert_eq!(read(Some("1-9"), None, "S"), Ok(Size::Varied(Varied::Linear { least: 1, most: 9 })));
        let listed = read(None, Some("100:3,1000:1"), "R").expect("a list");
        assert_eq!((listed.bounds(), listed.mean()), ((100, 1000), 325.0));
        for (range, list, pattern, told) in [
            (Some("9-1"), None, "R", "data_size_range: is `9-1`"),
            (Some("a-b"), None, "R", "data_size_range: is `a-b`"),
            (Some("0-5"), None, "R", "between 1 B and 64 MiB"),
            (Some("1-5"), None, "X", "data_size_pattern: is `X`"),
            (Some("1-5"), Some("1:1"), "R", "leave one of them out"),
            (None, Some("1:0"), "R", "data_size_list: is `1:0`"),
            (None, None, "S", "goes with data_size_range"),
        ] {
            let refused = read(range, list, pattern).expect_err("refused");
            assert!(refused.contains(told), "{refused}");
        }
    }

    #[test]
    fn short_fields_are_the_most_frequent() {
        let mean = Size::Varied(Varied::Zipfian { least: 1, most: 100 }).mean();
        assert!(mean > 15.0 && mean < 30.0, "{mean}");
    }
}
