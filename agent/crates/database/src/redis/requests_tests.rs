//! Tests of the contents of requests.

use keys::name::Naming;
use workloads::job::ObjectSpec;
use workloads::size::{Size, Varied};

use super::*;
use crate::objects::tests::record;

fn request(objects: &Objects, command: Command) -> Vec<Vec<u8>> {
    let mut bytes = Vec::new();
    objects.write_request(command, &mut bytes);
    let redis::Value::Array(words) = redis::parse_redis_value(&bytes).expect("a request") else {
        panic!("a request is a list")
    };
    let word = |word| if let redis::Value::BulkString(word) = word { word } else { panic!("a word") };
    words.into_iter().map(word).collect()
}

fn text(words: &[Vec<u8>]) -> Vec<String> {
    words.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

#[test]
fn a_value_is_its_keys_own_and_another_version_is_another_value() {
    let objects = Objects::new(Naming::Fraud, (0, 9), Shape::Value { bytes: Size::Constant(40) }, 1);
    let load = request(&objects, Command::Load { key: 7 });
    assert_eq!(text(&load[..2]), ["SET", "obj7"]);
    let update = request(&objects, Command::Update { key: 7, number: 3 });
    assert_eq!((load[2].len(), update[2].len()), (40, 40));
    assert_ne!(load[2], update[2]);
    let read = |key| Command::Read { key, number: 1 };
    assert_eq!(text(&request(&objects, read(7))), ["GET", "obj7"]);
    for value in [&load[2], &update[2]] {
        assert!(objects.is_right(read(7), &Answer::Value(value)));
        assert!(!objects.is_right(read(8), &Answer::Value(value)), "of another key");
        assert!(!objects.is_right(read(7), &Answer::Value(&value[1..])), "of another length");
    }
    assert!(!objects.is_right(read(7), &Answer::Missing));
}

#[test]
fn records_are_read_and_written_as_the_settings_say() {
    let objects = |read_all, write_all| {
        let naming = Naming::Ycsb { ordered: true, zero_padding: 1 };
        Objects::new(naming, (0, 9), record(read_all, write_all), 1)
    };
    let (read, update) = (Command::Read { key: 4, number: 2 }, Command::Update { key: 4, number: 2 });
    assert_eq!(text(&request(&objects(true, false), read)), ["HGETALL", "user4"]);
    let one = request(&objects(false, false), read);
    assert_eq!((text(&one[..2]), one.len()), (vec!["HGET".to_owned(), "user4".to_owned()], 3));
    let written = request(&objects(true, false), update);
    assert_eq!((written.len(), written[3].len(), &written[2][..5]), (4, 5, b"field".as_slice()));
    assert_eq!(request(&objects(true, true), update).len(), 2 + 6);
    let loaded = request(&objects(true, false), Command::Load { key: 4 });
    assert_eq!(text(&[loaded[2].clone(), loaded[4].clone(), loaded[6].clone()]), ["field0", "field1", "field2"]);
    let whole = Answer::List { items: 6, missing: 0, bytes: 3 * 6 + 3 * 5 };
    assert!(objects(true, false).is_right(read, &whole));
    let shrunk = Answer::List { items: 4, missing: 0, bytes: 2 * 6 + 2 * 5 };
    assert!(!objects(true, false).is_right(read, &shrunk));
    assert!(!objects(true, false).is_right(update, &Answer::Number(1)), "the field was not there before");
}

#[test]
fn sizes_and_lives_follow_from_key_and_version() {
    let wanted = ObjectSpec {
        naming: Naming::Memtier,
        first: 0,
        count: 100,
        shape: Shape::Value { bytes: Size::Varied(Varied::Uniform { least: 16, most: 400 }) },
        expiry_s: Some((60, 90)),
        may_be_absent: true,
    };
    let objects = Objects::of(&wanted, 100, 1);
    let (mut sizes, mut lives) = (Vec::new(), Vec::new());
    for key in 0..100 {
        let load = request(&objects, Command::Load { key });
        let set = request(&objects, Command::Update { key, number: key + 7 });
        assert_eq!((load[0].as_slice(), load.len()), (b"SET".as_slice(), 3), "a load never expires");
        assert_eq!((set[0].as_slice(), set.len()), (b"SETEX".as_slice(), 4));
        lives.push(String::from_utf8_lossy(&set[2]).parse::<u32>().expect("seconds"));
        for value in [&load[2], &set[3]] {
            let read = Command::Read { key, number: 0 };
            assert!(objects.is_right(read, &Answer::Value(value)));
            assert!(!objects.is_right(read, &Answer::Value(&value[..value.len() - 1])), "one byte short");
            sizes.push(value.len());
        }
    }
    assert!(lives.iter().all(|life| (60..=90).contains(life)) && lives.iter().any(|life| *life != lives[0]));
    assert!(sizes.iter().all(|size| (16..=400).contains(size)) && sizes.iter().any(|size| *size != sizes[0]));
}

#[test]
fn fields_of_integrity_are_compared_in_whatever_order_they_come() {
    let Shape::Record { prefix, .. } = record(true, false) else { panic!("a record") };
    let shape = |read_all, by_name| Shape::Record {
        fields: 3,
        field_bytes: Size::Constant(30),
        prefix: prefix.clone(),
        read_all,
        write_all: false,
        by_name,
        integrity: true,
        indexed: false,
    };
    let naming = Naming::Ycsb { ordered: true, zero_padding: 1 };
    let objects = |read_all, by_name| Objects::new(naming, (0, 9), shape(read_all, by_name), 1);
    let loaded = request(&objects(true, false), Command::Load { key: 4 });
    let words = |places: &[usize]| {
        let mut answer = Vec::new();
        resp::write_request(&places.iter().map(|address| &*loaded[*address]).collect::<Vec<_>>(), &mut answer);
        answer
    };
    let read = |key| Command::Read { key, number: 0 };
    let all = objects(true, false);
    for places in [[2, 3, 4, 5, 6, 7], [6, 7, 2, 3, 4, 5]] {
        assert!(all.is_intact(read(4), &words(&places)));
        assert!(!all.is_intact(read(5), &words(&places)), "of another key");
    }
    assert!(!all.is_intact(read(4), &words(&[2, 5, 4, 3, 6, 7])), "of another field");
    assert!(objects(true, true).is_intact(read(4), &words(&[3, 5, 7])));
    assert!(!objects(true, true).is_intact(read(4), &words(&[5, 3, 7])));
    let one = objects(false, false);
    let field = one.field_of(0);
    for address in 0..3 {
        assert_eq!(one.is_intact(read(4), &words(&[3 + 2 * address])), address == field);
    }
}
