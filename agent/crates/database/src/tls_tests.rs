//! Tests of TLS to real servers: the suite for sessions, and the messages for certificates that are not trusted.

use std::sync::Arc;

use runner::conformance::check;
use workloads::job::Job;

use crate::command::Command;
use crate::drivers;
use crate::postgres::store::PostgresStore;
use crate::redis::store::RedisStore;
use crate::server_address::ServerAddress;
use crate::store::Store;
use crate::tls::TlsFiles;
use crate::trial::{self, StoreSubject, load, session};
use test_servers::aerospike::AerospikeServer;
use test_servers::postgres::{PASSWORD, PostgresServer, signal};
use test_servers::tls_proxy::{NAME, TlsProxy};
use test_servers::valkey::Valkey;

fn job(objects: u64) -> Job {
    let text = format!(
        "workload = \"keyvalue\"\n[keyvalue]\nkey_maximum = {}\nobject_bytes = 20000\nconnections = 2\nmeasure_s = 1",
        objects - 1
    );
    trial::job(&text)
}

/// Returns the files with which a client trusts a proxy.
fn files_of(proxy: &TlsProxy) -> TlsFiles {
    let (authorities, server_name) = (Some(proxy.authority()), Some(NAME.to_owned()));
    TlsFiles { authorities, server_name, certificate: None, key: None }
}

/// Returns these files with a client certificate.
fn files_with_own(proxy: &TlsProxy) -> TlsFiles {
    let (certificate, key) = proxy.client_certificate();
    TlsFiles { certificate: Some(certificate), key: Some(key), ..files_of(proxy) }
}

fn parsed(address: &str, password: Option<&str>, files: TlsFiles) -> ServerAddress {
    ServerAddress::parse(address, password.map(str::to_owned))
        .and_then(|address| address.with_tls(files))
        .expect("an address")
}

#[test]
fn redis_by_tls_is_a_session_and_says_how_it_is_secured() {
    let server = Valkey::start_with(&["--requirepass", "hush"]);
    let proxy = TlsProxy::start(server.port, false, false);
    let (address, job) = (format!("rediss://127.0.0.1:{}", proxy.port), job(100));
    let store =
        RedisStore::open(&parsed(&address, Some("hush"), files_of(&proxy)), &job.objects, 1).expect("connected");
    assert!(store.facts()["tls"].as_str().expect("text").starts_with("TLSv1.3 TLS13_"), "{:?}", store.facts());
    load(&store, &job);
    let pid = server.pid();
    let stop = || -> Box<dyn FnOnce()> {
        server.signal("-STOP");
        Box::new(move || signal(pid, "-CONT"))
    };
    check(&StoreSubject { store: &store, objects: 100, stop: Some(&stop) });
}

#[test]
fn postgresql_by_tls_is_a_session_and_says_how_it_is_secured() {
    let server = PostgresServer::start(&[]);
    let proxy = TlsProxy::start(server.port, true, true);
    let job = job(100);
    let address = format!("postgresql://bench@127.0.0.1:{}/postgres?sslmode=verify-full", proxy.port);
    let address = |files| parsed(&address, Some(PASSWORD), files);
    let told = drivers::open(&address(files_of(&proxy)), &job.objects, 1).err().expect("no certificate of our own").0;
    assert!(told.contains("--tls-cert"), "{told}");
    let store = PostgresStore::open(&address(files_with_own(&proxy)), &job.objects, 1).expect("connected");
    assert!(store.facts()["tls"].as_str().expect("text").starts_with("TLSv1.3 TLS13_"), "{:?}", store.facts());
    load(&store, &job);
    let pid = server.pid();
    let stop = || -> Box<dyn FnOnce()> {
        server.signal("-STOP");
        Box::new(move || signal(pid, "-CONT"))
    };
    check(&StoreSubject { store: &store, objects: 100, stop: Some(&stop) });
}

#[test]
fn aerospike_by_tls_is_loaded_and_measured() {
    let server = AerospikeServer::start();
    let proxy = TlsProxy::start(server.port, false, false);
    let (address, job) = (
        format!("aerospikes://127.0.0.1:{}/test", proxy.port),
        trial::job(
            "workload = \"keyvalue\"\n[keyvalue]\nkey_maximum = 99\nobject_bytes = 2000\nconnections = 2\nrate_per_s = 200\nmeasure_s = 1",
        ),
    );
    let store = drivers::open(&parsed(&address, None, files_of(&proxy)), &job.objects, 1).expect("connected");
    assert!(store.facts()["tls"].as_str().expect("text").starts_with("TLSv1.3 TLS13_"), "{:?}", store.facts());
    load(&*store, &job);
    let (memory, outcome) = trial::run(&*store, &job.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    assert_eq!(memory.sum(0, |one| one.errors + one.timeouts) + memory.sum(4, |one| one.errors + one.timeouts), 0);
}

#[test]
fn untrusted_servers_are_refused_with_what_to_do() {
    let (valkey, postgres) = (Valkey::start(), PostgresServer::start(&[]));
    let (before_valkey, before_postgres) =
        (TlsProxy::start(valkey.port, false, false), TlsProxy::start(postgres.port, true, false));
    let objects = job(10).objects;
    let redis = |port| format!("rediss://127.0.0.1:{port}");
    let sql = |port| format!("postgresql://bench@127.0.0.1:{port}/postgres?sslmode=verify-full");
    for (proxy, address, plain) in [
        (&before_valkey, redis(before_valkey.port), redis(valkey.port)),
        (&before_postgres, sql(before_postgres.port), sql(postgres.port)),
    ] {
        let refused = |address: &str, files: TlsFiles| {
            drivers::open(&parsed(address, Some(PASSWORD), files), &objects, 1).err().expect("refused").0
        };
        let files = files_of(proxy);
        let told = refused(&address, TlsFiles { authorities: None, ..files.clone() });
        assert!(told.contains("no authority that is trusted here signed") && told.contains("--tls-ca"), "{told}");
        let told = refused(&address, TlsFiles { server_name: None, ..files.clone() });
        assert!(told.contains("--tls-server-name") && !told.contains("start the server"), "{told}");
        let told = refused(&plain, files.clone());
        assert!(told.contains("without TLS"), "{told}");
        let told = refused(&address, TlsFiles { authorities: Some("/nowhere.pem".into()), ..files.clone() });
        assert!(told.contains("/nowhere.pem"), "{told}");
        let told = refused(&address, TlsFiles { key: Some("/nowhere.key".into()), ..files });
        assert!(told.contains("belong together"), "{told}");
        assert!(!told.contains(PASSWORD), "{told}");
    }
}

#[test]
fn a_server_that_turns_its_back_on_tls_while_it_is_measured_costs_errors_and_comes_back() {
    let mut server = Valkey::start();
    let proxy = TlsProxy::start(server.port, false, false);
    let (address, job) = (format!("rediss://127.0.0.1:{}", proxy.port), job(100));
    let store = RedisStore::open(&parsed(&address, None, files_of(&proxy)), &job.objects, 1).expect("connected");
    load(&store, &job);
    let mut session = session(&store, 1, 4).expect("connected");
    let time = Arc::new(measure::clock::MonotonicTime::start());
    session.start(time.clone());
    let mut ask = || {
        let read = [Command::Read { key: 1, number: 1 }];
        runner::conformance::carry_out(session.as_mut(), time.as_ref(), &read)[0].end
    };
    assert_eq!(ask(), runner::End::Done);
    server.kill();
    assert!(matches!(ask(), runner::End::Failed(_)));
    server.restart();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    // The server is empty after the restart, so its answer to a read is wrong.
    while ask() != runner::End::Wrong {
        assert!(std::time::Instant::now() < until, "connected again");
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
}
