//! Tests of what requests carry.

use super::*;

fn record(read_all: bool, write_all: bool) -> Shape {
    let prefix = "field".into();
    let (by_name, integrity, indexed) = (false, false, false);
    Shape::Record { fields: 3, field_bytes: 5, prefix, read_all, write_all, by_name, integrity, indexed }
}

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
fn names_are_those_of_the_tools() {
    for naming in [
        Naming::Memtier,
        Naming::Fraud,
        Naming::Ycsb { ordered: false, zero_padding: 1 },
        Naming::Ycsb { ordered: true, zero_padding: 12 },
    ] {
        let objects = Objects::new(Names::Of(naming), (0, 1), Shape::Value { bytes: 20 }, 1);
        for key in [0, 7, 4_294_967_296, 123_456_789_012] {
            assert_eq!(keys::name::Key::Text(objects.name(key)), naming.key(key));
        }
    }
}

#[test]
fn a_value_is_its_keys_own_and_another_version_is_another_value() {
    let objects = Objects::new(Names::Of(Naming::Fraud), (0, 9), Shape::Value { bytes: 40 }, 1);
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
        Objects::new(Names::Of(naming), (0, 9), record(read_all, write_all), 1)
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
fn what_is_inserted_becomes_readable_in_order() {
    let objects = Objects::new(Names::Prefixed("k".into()), (5, 10), Shape::Value { bytes: 4 }, 1);
    let mut bytes = Vec::new();
    let mut insert = || objects.write_request(Command::Insert { number: 0 }, &mut bytes).expect("a key");
    assert_eq!((insert(), insert(), insert()), (15, 16, 17));
    assert_eq!((objects.end(), objects.taken_since(Part::ALONE)), (15, 13));
    objects.inserted(16);
    assert_eq!(objects.end(), 15, "15 is still under way");
    objects.inserted(15);
    assert_eq!(objects.end(), 17);
}

#[test]
fn agents_insert_into_stripes_of_their_own_and_read_them() {
    let naming = Naming::Ycsb { ordered: true, zero_padding: 1 };
    let part = |agent| Part { agent, agents: 3 };
    let mut names = Vec::new();
    for agent in 0..3 {
        let objects = Objects::new(Names::Of(naming), (0, 1_000), record(true, false), 1).of_part(part(agent), 1);
        assert_eq!((objects.end(), objects.name(999), objects.taken_since(part(agent))), (1_001, "user999".into(), 1));
        assert_eq!(objects.name(1_000), format!("user{}", 1_000 + agent), "inserted in an earlier phase");
        for _ in 0..3 {
            let key = objects.take_key();
            names.push(objects.name(key));
            objects.inserted(key);
        }
        assert_eq!((objects.end(), objects.taken_since(part(agent))), (1_004, 4));
    }
    names.sort();
    assert_eq!(names, (1_003..1_012).map(|key| format!("user{key}")).collect::<Vec<_>>());
}

#[test]
fn fields_hold_what_ycsb_calls_data_integrity() {
    for (key, field, length, expected) in [
        (
            "user6284781860667377211",
            "field0",
            100,
            "user6284781860667377211:field0:-56807877:2032869390:-165488160:1762371712:-169193395:-1039977118:-10",
        ),
        (
            "user55488592825689361",
            "field3",
            100,
            "user55488592825689361:field3:740276884:-649972520:-676670795:-983186951:-150490476:1672693279:-17308",
        ),
        ("user55488592825689361", "field3", 37, "user55488592825689361:field3:74027688"),
        ("user3343117810311055043", "field9", 20, "user3343117810311055"),
    ] {
        assert_eq!(String::from_utf8_lossy(&intact(key.as_bytes(), field.as_bytes(), length)), expected);
    }
}
