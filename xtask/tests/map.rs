//! The map of ARCHITECTURE.md is true: which crate depends on which, what each may do, and that
//! each is named.
//!
//! Directions come from `cargo metadata`, absences from the text of the crates.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A crate and the crates of ours that it may see. Those that do not exist yet have their place
/// kept.
const MAP: [(&str, &[&str]); 24] = [
    ("source", &[]),
    ("logic", &["source"]),
    ("space", &[]),
    ("objects", &["logic"]),
    ("system", &["source", "logic", "space", "objects"]),
    ("structures", &["source", "logic", "space"]),
    ("independence", &["logic", "space", "objects", "system"]),
    ("compile", &["source", "logic", "space", "objects", "system", "independence"]),
    ("explore", &["logic", "space", "objects", "independence"]),
    ("certify", &["source", "logic", "space", "objects", "system", "structures"]),
    ("solve", &["source", "logic"]),
    ("symbolic", &["source", "logic", "space", "system"]),
    ("promela", &["source", "logic", "system"]),
    ("spl", &["source", "logic", "system"]),
    ("tvm", &["source", "logic", "structures"]),
    ("java", &["source", "logic", "structures"]),
    ("native", &["logic", "space", "objects", "independence", "explore"]),
    ("shapes", &["source", "logic", "space", "structures", "independence", "explore", "solve"]),
    ("prover", &["source", "logic", "space", "system", "solve"]),
    (
        "workbench",
        &[
            "source",
            "logic",
            "space",
            "objects",
            "system",
            "structures",
            "independence",
            "compile",
            "explore",
            "certify",
            "solve",
            "promela",
            "spl",
            "tvm",
            "java",
            "native",
            "shapes",
            "prover",
            "symbolic",
        ],
    ),
    ("studio", &["workbench"]),
    ("protocols", &["source", "workbench"]),
    ("weave", &["source", "workbench", "studio", "protocols"]),
    // Its generators take the one source of random numbers.
    ("xtask", &["logic"]),
];

/// What the tests of a crate may see besides: the generator of random programs; provers and
/// checkers see their language, to read the programs they are tried on, and the certifier, to have
/// their runs judged. A language is never tried on an engine.
const IN_TESTS: [(&str, &[&str]); 6] = [
    ("explore", &["system"]),
    ("promela", &["xtask"]),
    ("prover", &["certify", "spl"]),
    ("shapes", &["tvm", "java"]),
    ("symbolic", &["spl", "certify"]),
    ("workbench", &["xtask"]),
];

/// Libraries that only the rim may know, and which part of it: the binary and the automation, JSON
/// also the servers, HTTP the studio alone, and the types of an editor's messages the protocols.
const RIM: [(&[&str], &[&str]); 4] = [
    (&["clap", "clap_complete", "clap_mangen", "jsonschema", "ctrlc"], &["weave", "xtask"]),
    (&["serde_json"], &["studio", "protocols", "weave", "xtask"]),
    (&["lsp-types"], &["protocols"]),
    (&["axum", "hyper", "hyper-util", "tokio"], &["studio"]),
];

/// Where `unsafe` may stand: crates, and one part of a crate.
const UNSAFE: [&str; 3] = ["crates/native/src/", "crates/compile/src/", "crates/explore/src/store"];

/// These may touch the world. Everything else is below the workbench and only computes.
const MAY_TOUCH_THE_WORLD: [&str; 5] = ["workbench", "studio", "protocols", "weave", "native"];
/// The part of `solve` that runs external solvers with a limit on their time.
const SOLVER_PROCESSES: &str = "crates/solve/src/external/process.rs";
const WORLD: [&str; 12] = [
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::time",
    "Instant::now",
    "SystemTime",
    "print!(",
    "println!(",
    "eprint!(",
    "stdin()",
    "stdout()",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_owned()
}

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().expect("cargo metadata")
}

/// What a package is called on the map: the name of its folder. Packages are published with the
/// name of the workbench before it; the binary's package has that name alone.
fn noun(package: &str) -> &str {
    match package {
        "everyweave" => "weave",
        _ => package.strip_prefix("everyweave-").unwrap_or(package),
    }
}

fn row<'a>(table: &[(&str, &'a [&'a str])], name: &str) -> Option<&'a [&'a str]> {
    table.iter().find(|(of, _)| *of == name).map(|(_, row)| *row)
}

/// The crates of ours that a package depends on, in one way.
fn sees(package: &Package, ours: &BTreeSet<&str>, kinds: &[DependencyKind]) -> Vec<String> {
    let wanted = package.dependencies.iter().filter(|d| kinds.contains(&d.kind));
    wanted.map(|d| noun(&d.name).to_owned()).filter(|name| ours.contains(name.as_str())).collect()
}

#[test]
fn dependencies_go_the_way_of_the_map() {
    let metadata = metadata();
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|p| noun(&p.name)).collect();
    let mut wrong = Vec::new();
    for package in &metadata.packages {
        let name = noun(&package.name);
        let Some(allowed) = row(&MAP, name) else {
            wrong.push(format!("`{name}` is not on the map"));
            continue;
        };
        let in_tests = row(&IN_TESTS, name).unwrap_or(&[]);
        for other in sees(package, &ours, &[DependencyKind::Normal, DependencyKind::Build]) {
            if !allowed.contains(&other.as_str()) {
                wrong.push(format!("`{name}` must not see `{other}`"));
            }
        }
        for other in sees(package, &ours, &[DependencyKind::Development]) {
            if !allowed.contains(&other.as_str()) && !in_tests.contains(&other.as_str()) {
                wrong.push(format!("the tests of `{name}` must not see `{other}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The map itself keeps the promises of the design.
#[test]
fn the_map_keeps_its_promises() {
    let may = |from: &str, to: &str| row(&MAP, from).is_some_and(|row| row.contains(&to));
    for engine in ["compile", "explore", "independence", "solve", "prover", "symbolic", "shapes", "native"] {
        assert!(!may("certify", engine), "certify sees {engine}");
        let languages = ["promela", "spl", "tvm", "java"];
        assert!(languages.iter().all(|language| !may(language, engine)), "a language sees {engine}");
    }
    let ways_in = ["promela", "spl", "tvm", "java", "native", "prover", "shapes"];
    for from in ways_in {
        assert!(ways_in.iter().all(|to| !may(from, to)), "{from} sees another way in");
    }
    // Rows only name rows above them, so there are no circles.
    for (at, (name, row)) in MAP.iter().enumerate() {
        let above: Vec<&str> = MAP[..at].iter().map(|(name, _)| *name).collect();
        assert!(row.iter().all(|seen| above.contains(seen)), "{name} sees below itself");
    }
}

#[test]
fn only_the_rim_knows_json_http_and_the_command_line() {
    for package in &metadata().packages {
        for (libraries, _) in RIM.iter().filter(|(_, may)| !may.contains(&noun(&package.name))) {
            let known = package.dependencies.iter().find(|d| libraries.contains(&d.name.as_str()));
            assert!(known.is_none(), "`{}` must not know `{}`", package.name, known.unwrap().name);
        }
    }
}

#[test]
fn only_java_knows_tree_sitter() {
    let metadata = metadata();
    let knows = |p: &&Package| p.dependencies.iter().any(|d| d.name.starts_with("tree-sitter"));
    let found: Vec<&str> = metadata.packages.iter().filter(knows).map(|p| noun(&p.name)).collect();
    assert_eq!(found, ["java"]);
}

#[test]
fn crates_are_named_after_what_they_are() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        assert!(
            !["util", "utils", "common", "core", "types"].contains(&name.as_str()),
            "`{name}` says nothing"
        );
        assert!(map.contains(&format!("crates/{name}")), "ARCHITECTURE.md does not name crates/{name}");
    }
    for package in &metadata().packages {
        let folder = package.manifest_path.parent().and_then(|p| p.file_name());
        assert_eq!(folder, Some(noun(&package.name)), "a folder is named as its crate");
    }
}

/// Everything but the automation can be published: a name of ours, a description, a license, words
/// to find it by, and a version beside the path of each dependency on another crate of ours.
#[test]
fn packages_are_ready_to_be_published() {
    for package in metadata().packages.iter().filter(|package| package.name != "xtask") {
        let name = package.name.as_str();
        assert!(name.starts_with("everyweave"), "`{name}` has a name of its own");
        assert!(package.publish.is_none(), "`{name}` is kept back");
        assert!(
            package.description.as_ref().is_some_and(|text| text.ends_with('.')),
            "`{name}`: description"
        );
        assert!(package.license.is_some(), "`{name}`: license");
        assert!((1..=5).contains(&package.keywords.len()), "`{name}`: keywords");
        assert!(!package.categories.is_empty(), "`{name}`: categories");
        for dependency in package.dependencies.iter().filter(|d| d.path.is_some() && d.name != "xtask") {
            assert_ne!(dependency.req.to_string(), "*", "`{name}`: the version of `{}`", dependency.name);
        }
        let targets: Vec<&str> = package.targets.iter().map(|target| target.name.as_str()).collect();
        assert!(targets.contains(&noun(name)), "`{name}`: a library or binary `{}`", noun(name));
    }
}

/// Every link of the map leads somewhere, and so does every path with `src/` in it.
#[test]
fn the_map_names_what_there_is() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let links = map.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let paths = map.split('`').skip(1).step_by(2).filter(|text| text.contains("src/"));
    let (mut missing, mut seen) = (Vec::new(), 0);
    for path in links.chain(paths) {
        seen += 1;
        let places = [root().join(path), root().join("crates").join(path)];
        if !places.iter().any(|place| place.exists()) {
            missing.push(path);
        }
    }
    assert!(missing.is_empty(), "ARCHITECTURE.md names what is not there: {missing:?}");
    assert!(seen > 100, "only {seen} paths were found");
}

#[test]
fn unsafe_stays_in_its_rooms() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(workspace.contains("unsafe_code = \"deny\""), "the workspace denies unsafe code");
    for package in &metadata().packages {
        let manifest = fs::read_to_string(&package.manifest_path).unwrap();
        assert!(
            manifest.contains("[lints]\nworkspace = true\n"),
            "`{}` takes the shared lints",
            package.name
        );
    }
    for (path, text) in rust_files() {
        if UNSAFE.iter().any(|room| path.starts_with(room)) || path == "xtask/tests/map.rs" {
            continue;
        }
        let found = code_lines(&text).find(|(_, line)| words(line).any(|word| word.starts_with("unsafe")));
        assert!(found.is_none(), "{path}:{}: unsafe outside its rooms", found.unwrap().0);
    }
}

/// Each use is explained by the line before it.
#[test]
fn every_unsafe_block_has_its_reason() {
    for (path, text) in rust_files().into_iter().filter(|(path, _)| path.starts_with("crates/")) {
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in code_lines(&text) {
            if words(line).any(|word| word == "unsafe") {
                let near = &lines[number.saturating_sub(5)..number];
                assert!(near.iter().any(|l| l.contains("SAFETY:")), "{path}:{number}: unsafe without SAFETY");
            }
        }
    }
}

#[test]
fn below_the_workbench_nothing_touches_the_world() {
    let mut wrong = Vec::new();
    for (path, text) in rust_files() {
        let Some((name, inside)) = path.strip_prefix("crates/").and_then(|p| p.split_once('/')) else {
            continue;
        };
        let is_test = !inside.starts_with("src/") || inside.ends_with("tests.rs");
        if is_test || MAY_TOUCH_THE_WORLD.contains(&name) || path == SOLVER_PROCESSES {
            continue;
        }
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code_lines(product) {
            if let Some(what) = WORLD.iter().find(|what| line.contains(**what)) {
                wrong.push(format!("{path}:{number}: `{what}` below the workbench"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All Rust files of the crates and of xtask, by their path from the root.
fn rust_files() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("crates"), root().join("xtask")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    assert!(found.len() > 50, "the crates are missing");
    found
}

/// Lines with what is no comment in them, numbered from 1.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line.split("//").next().unwrap_or_default()))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
