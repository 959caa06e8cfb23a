//! `tailroom-agent keys`: shares and names of the keys that database workloads draw, without any database.

use std::io::Write as _;

use ::keys::chooser::{Chooser, Distribution};
use ::keys::name::{Key, Naming, fnv_hash};
use ::keys::placement::{aerospike_digest, aerospike_partition, redis_slot};
use ::keys::tally::tally;
use serde_json::{Value, json};

use crate::cli::{DistributionName, KeyNameFormat, KeysArgs};
use crate::failure::Failure;

/// Prints the shares of a key distribution, or the name of a key number, as one JSON object.
pub fn keys(args: &KeysArgs) -> Result<(), Failure> {
    let answer = match (args.law, args.name) {
        (Some(law), None) => shares(args, law)?,
        (None, Some(name)) => named(args, name)?,
        _ => return Err(Failure::Usage("give either --law or --name".into())),
    };
    // A reader such as `head` may close the pipe early.
    let _ = writeln!(std::io::stdout(), "{answer}");
    Ok(())
}

fn shares(args: &KeysArgs, law: DistributionName) -> Result<Value, Failure> {
    let items = args.items.ok_or_else(|| Failure::Usage("--law needs --items: how many keys there are".into()))?;
    let theta = args.theta;
    let law = match law {
        DistributionName::Uniform => Distribution::Uniform,
        DistributionName::Zipfian => Distribution::Zipfian { theta, new_keys: args.new_keys },
        DistributionName::Latest => Distribution::Latest { theta },
        DistributionName::Hotspot => {
            Distribution::Hotspot { hot_data: args.hot_data, hot_operations: args.hot_operations }
        }
        DistributionName::Sequential => Distribution::Sequential,
        DistributionName::Exponential => {
            Distribution::Exponential { percentile: args.percentile, fraction: args.fraction }
        }
        DistributionName::Gauss => Distribution::Gauss { deviation: args.deviation, centre: args.centre },
        DistributionName::Zipf => Distribution::Zipf { theta },
        DistributionName::ExactZipf => Distribution::ExactZipf { exponent: theta },
    };
    let chooser = Chooser::new(law, args.start, items, args.seed).map_err(Failure::Usage)?;
    Ok(json!(tally(&chooser, args.draws)))
}

fn named(args: &KeysArgs, name: KeyNameFormat) -> Result<Value, Failure> {
    let number = args.number.ok_or_else(|| Failure::Usage("--name needs --number: the key number to name".into()))?;
    let naming = match name {
        KeyNameFormat::Ycsb => Naming::Ycsb { ordered: args.ordered, zero_padding: args.zeropadding.into() },
        KeyNameFormat::Memtier => Naming::Memtier,
        KeyNameFormat::Asbench => Naming::Asbench,
        KeyNameFormat::Fraud => Naming::Fraud,
    };
    let out_of_range = || {
        let range = if name == KeyNameFormat::Ycsb { "-9223372036854775808" } else { "0" };
        Failure::Usage(format!("--number is {number}; it must lie between {range} and 18446744073709551615"))
    };
    let key = match (u64::try_from(number), i64::try_from(number)) {
        (Ok(number), _) => naming.key(number),
        (_, Ok(signed)) => naming.signed_key(signed).ok_or_else(out_of_range)?,
        _ => return Err(out_of_range()),
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the bits of a signed number")]
    let number = number as u64;
    // The hash is given even if the key does not contain it: it depends on the number alone.
    let hash = (name == KeyNameFormat::Ycsb).then(|| fnv_hash(number));
    let mut answer = json!({ "key": key, "hash": hash });
    if let Some(set) = &args.digest {
        let key = if naming == Naming::Fraud { naming.aerospike_key(number) } else { key.clone() };
        let digest = aerospike_digest(set, &key);
        answer["digest"] = digest.map(|byte| format!("{byte:02x}")).concat().into();
        answer["partition"] = aerospike_partition(&digest).into();
        answer["aerospike_key"] = json!(key);
    }
    if args.slot {
        let text = match key {
            Key::Text(text) => text,
            Key::Integer(number) => number.to_string(),
        };
        answer["slot"] = redis_slot(text.as_bytes()).into();
    }
    Ok(answer)
}
