//! The tables of diagnostic codes and the code that uses them: every code used is explained, every
//! explanation used.

use std::collections::BTreeSet;
use std::path::Path;
use workbench::engine::codes;

#[test]
fn every_table_is_in_order() {
    let faults: Vec<String> = codes().iter().flat_map(|table| table.faults()).collect();
    assert_eq!(faults, [""; 0]);
}

#[test]
fn no_code_is_in_two_tables() {
    let all: Vec<&str> = codes().iter().flat_map(|table| table.0).map(|entry| entry.code).collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
}

#[test]
fn every_code_used_is_explained_and_every_explanation_used() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut used = BTreeSet::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        collect(&entry.unwrap().path().join("src"), &mut used);
    }
    let explained = codes().iter().flat_map(|table| table.0).map(|entry| entry.code.to_string()).collect();
    assert_eq!(used, explained);
}

/// Every string in a folder that looks like a code; the tables themselves, comments and tests at
/// the end of a file do not count.
fn collect(folder: &Path, used: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, used);
        } else if name.ends_with(".rs") && name != "codes.rs" && name != "tests.rs" {
            let text = std::fs::read_to_string(&path).unwrap();
            let product = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for line in product.lines().filter(|line| !line.trim_start().starts_with("//")) {
                used.extend(line.split('"').filter(|part| looks_like_a_code(part)).map(String::from));
            }
        }
    }
}

fn looks_like_a_code(part: &str) -> bool {
    part.len() == 5 && part.starts_with(['E', 'W']) && part[1..].bytes().all(|byte| byte.is_ascii_digit())
}
