//! Asks the linker for a smaller binary, if it can: functions with the same code are kept once
//! (LLD, the linker of rustc on Linux, has that; others may not). Whether it can is tried on a
//! small program, with the compiler and the flags of this build.

use std::env;
use std::path::PathBuf;
use std::process::Command;

const FOLD: &str = "-Wl,--icf=all";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") && folds().unwrap_or(false) {
        println!("cargo::rustc-link-arg-bins={FOLD}");
    }
}

/// Whether a program that is linked in this way runs.
fn folds() -> Option<bool> {
    let out = PathBuf::from(env::var_os("OUT_DIR")?);
    let (source, program) = (out.join("probe.rs"), out.join("probe"));
    std::fs::write(&source, "fn main() {}\n").ok()?;
    let mut rustc = Command::new(env::var_os("RUSTC")?);
    rustc.arg("--target").arg(env::var_os("TARGET")?).args(["-C", &format!("link-arg={FOLD}")]);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        rustc.arg("-C").arg(format!("linker={}", linker.to_string_lossy()));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    let built = rustc.arg("-o").arg(&program).arg(&source).output().ok()?.status.success();
    Some(built && Command::new(&program).status().is_ok_and(|status| status.success()))
}
