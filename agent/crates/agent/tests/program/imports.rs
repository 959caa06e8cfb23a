//! Checks that imports between the files of a crate have no cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Module = Vec<String>;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn module_of(source: &Path, root: &Path) -> Module {
    let relative = source.strip_prefix(root).expect("inside").with_extension("");
    let mut parts: Module = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// Returns the code without comments, and without the tests at the end.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns the modules in paths that begin with `crate::`, `super::` or the name of a child.
fn imports(text: &str, module: &Module, modules: &BTreeSet<Module>) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut add = |base: &[String], rest: &str| {
        let mut path = base.to_vec();
        let mut rest = rest;
        loop {
            let end = rest.find(|character| !word(character)).unwrap_or(rest.len());
            if end > 0 {
                path.push(rest[..end].to_owned());
            }
            match rest[end..].strip_prefix("::") {
                Some(more) if !more.starts_with('{') => rest = more,
                _ => break,
            }
        }
        while !path.is_empty() && !modules.contains(&path) {
            path.pop();
        }
        if !path.is_empty() && path != *module {
            found.insert(path);
        }
    };
    let parent = &module[..module.len().saturating_sub(1)];
    for (mark, base) in [("crate::", &[][..]), ("super::", parent)] {
        for (at, _) in text.match_indices(mark) {
            let rest = &text[at + mark.len()..];
            let mut add_all = |base: &[String], list: &str| {
                for one in list.split('}').next().unwrap_or_default().split(',') {
                    add(base, one.trim());
                }
            };
            if let Some(list) = rest.strip_prefix('{') {
                add_all(base, list);
                continue;
            }
            // Handles `super::one::{two, three}`, where `one` is a folder.
            let end = rest.find(|character: char| !word(character) && character != ':').unwrap_or(rest.len());
            if let (Some(folder), Some(list)) = (rest[..end].strip_suffix("::"), rest[end..].strip_prefix('{')) {
                let base: Module = base.iter().cloned().chain(folder.split("::").map(str::to_owned)).collect();
                add_all(&base, list);
            }
            add(base, rest);
        }
    }
    for child in modules.iter().filter(|other| other.len() == module.len() + 1 && other.starts_with(module)) {
        let name = format!("{}::", child[child.len() - 1]);
        let used = |at: usize| !text[..at].ends_with(|character: char| word(character) || character == ':');
        if text.match_indices(&name).any(|(at, _)| used(at)) {
            found.insert(child.clone());
        }
    }
    found
}

#[test]
fn no_module_imports_one_that_imports_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates");
    let mut circles = Vec::new();
    for name in ["measure", "runner", "device", "database", "keys", "workloads", "wire", "agent"] {
        let root = crates.join(name).join("src");
        let mut files = Vec::new();
        sources(&root, &mut files);
        assert!(!files.is_empty(), "{name}");
        let is_test = |module: &Module| {
            module.last().is_some_and(|last| last.ends_with("tests") || (last == "conformance" && module.len() > 1))
        };
        let texts: BTreeMap<Module, String> = files
            .iter()
            .map(|file| (module_of(file, &root), code(&fs::read_to_string(file).expect("readable"))))
            .filter(|(module, _)| !module.is_empty() && !is_test(module))
            .collect();
        let modules: BTreeSet<Module> = texts.keys().cloned().collect();
        let direct: BTreeMap<&Module, BTreeSet<Module>> =
            texts.iter().map(|(module, text)| (module, imports(text, module, &modules))).collect();
        for module in &modules {
            let (mut seen, mut open) = (BTreeSet::new(), vec![module]);
            while let Some(one) = open.pop() {
                open.extend(direct[one].iter().filter(|next| seen.insert((*next).clone())));
            }
            if seen.contains(module) {
                circles.push(format!("{name}: {}", module.join("::")));
            }
        }
    }
    assert_eq!(circles, Vec::<String>::new(), "part of a circle of imports");
}

#[test]
fn a_circle_would_be_seen() {
    let modules: BTreeSet<Module> =
        [vec!["one".to_owned()], vec!["two".to_owned()], vec!["two".into(), "deep".into()]].into();
    let of = |text: &str, module: &[&str]| {
        let module: Module = module.iter().map(|part| (*part).to_owned()).collect();
        imports(&code(text), &module, &modules).into_iter().map(|found| found.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(of("use crate::two::Thing;\n// use crate::one::X;\n", &["one"]), ["two"]);
    assert_eq!(of("use crate::two::{deep, Thing};\n", &["one"]), ["two", "two::deep"]);
    assert_eq!(of("use super::Thing;\n", &["two", "deep"]), ["two"]);
    assert_eq!(of("use deep::Thing;\n", &["two"]), ["two::deep"]);
    assert!(of("#[cfg(test)]\nmod tests {\n    use crate::two::Thing;\n}\n", &["one"]).is_empty());
}
