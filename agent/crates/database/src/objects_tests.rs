//! Tests of keys, names and contents.

use workloads::size::Size;

use super::*;

/// Returns the shape of records with three fields of five bytes; tests of requests use it too.
pub(crate) fn record(read_all: bool, write_all: bool) -> Shape {
    let prefix = "field".into();
    let (by_name, integrity, indexed) = (false, false, false);
    Shape::Record {
        fields: 3,
        field_bytes: Size::Constant(5),
        prefix,
        read_all,
        write_all,
        by_name,
        integrity,
        indexed,
    }
}

#[test]
fn names_are_those_of_the_tools() {
    for naming in [
        Naming::Memtier,
        Naming::Fraud,
        Naming::Ycsb { ordered: false, zero_padding: 1 },
        Naming::Ycsb { ordered: true, zero_padding: 12 },
    ] {
        let objects = Objects::new(naming, (0, 1), Shape::Value { bytes: Size::Constant(20) }, 1);
        for key in [0, 7, 4_294_967_296, 123_456_789_012] {
            assert_eq!(keys::name::Key::Text(objects.name(key)), naming.key(key));
        }
    }
}

#[test]
fn what_is_inserted_becomes_readable_in_order() {
    let objects = Objects::new(Naming::Fraud, (5, 10), Shape::Value { bytes: Size::Constant(4) }, 1);
    assert_eq!([(); 3].map(|()| objects.take_key()), [15, 16, 17]);
    assert_eq!((objects.end(), objects.taken_since(Part::default())), (15, 13));
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
        let objects = Objects::new(naming, (0, 1_000), record(true, false), 1).of_part(part(agent), 1);
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
