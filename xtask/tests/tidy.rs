//! The files of this repository are tidy; `cargo xtask tidy` says the same.

use std::path::Path;

#[test]
fn the_repository_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository");
    let offences = xtask::tidy::offences(root).expect("git lists the files");
    let lines: Vec<String> = offences.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}
