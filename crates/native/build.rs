//! Compiles the library that is preloaded into controlled programs, and makes Rust constants of its
//! protocol.
//!
//! The library becomes bytes inside the binary; it needs a C compiler at build time (`$CC`, or
//! `cc`) and nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const PARTS: &[&str] = &[
    "runtime.c",
    "life.c",
    "server.c",
    "backstop.c",
    "direct.c",
    "raw.c",
    "thrift.c",
    "process.c",
    "signals.c",
    "threads.c",
    "points.c",
    "limits.c",
    "initialise.c",
    "sysv.c",
    "time.c",
    "timers.c",
    "memory.c",
    "mappings.c",
    "segments.c",
    "frames.c",
    "blocks.c",
    "spin.c",
    "strings.c",
    "formats.c",
    "files.c",
    "poll.c",
    "queues.c",
    "io.c",
    "locks.c",
    "paths.c",
    "content.c",
    "calls.c",
    "numbers.c",
    "library.c",
    "state.c",
    "arguments.c",
    "attributes.c",
    "containers.c",
    "lookup.c",
    "streams.c",
    "temporary.c",
    "tell.c",
];

fn main() {
    println!("cargo:rerun-if-changed=preload");
    println!("cargo:rerun-if-env-changed=CC");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let preload = Path::new("preload");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let status = Command::new(&compiler)
        .args([
            "-std=gnu11",
            "-O2",
            "-g0",
            "-fPIC",
            "-shared",
            "-fvisibility=hidden",
            "-fno-stack-protector",
            "-fexceptions",
        ])
        .args([
            "-Wall",
            "-Wextra",
            "-Werror=int-conversion",
            "-fno-builtin",
            "-fno-tree-loop-distribute-patterns",
            "-Wl,-soname,libweave.so",
        ])
        // Each run copies the mappings of the program, ours among them: few of them, and nothing to
        // run when a process ends.
        .args(["-nostartfiles", "-static-libgcc", "-Wl,-z,noseparate-code,-z,norelro,-z,now", "-o"])
        .arg(out.join("libweave.so"))
        .args(PARTS.iter().map(|part| preload.join(part)))
        .arg("-ldl")
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(_) => panic!("`{compiler}` could not compile crates/native/preload"),
        Err(error) => panic!("`{compiler}`: {error}; a C compiler is needed"),
    }
    let protocol = fs::read_to_string(preload.join("protocol.h")).expect("preload/protocol.h");
    fs::write(out.join("protocol.rs"), constants(&protocol)).expect("OUT_DIR can be written");
    let table = fs::read_to_string(preload.join("system_calls.h")).expect("preload/system_calls.h");
    fs::write(out.join("system_calls.rs"), system_calls(&table)).expect("OUT_DIR can be written");
}

/// Each line `CALL(NUMBER, NAME, CLASS)` as an entry of a Rust table.
fn system_calls(table: &str) -> String {
    let mut out = "[\n".to_string();
    for line in table.lines() {
        let Some(words) = line.strip_prefix("CALL(").and_then(|l| l.strip_suffix(")")) else { continue };
        let words: Vec<&str> = words.split(", ").collect();
        let [number, name, class] = words[..] else { panic!("preload/system_calls.h: {line}") };
        out.push_str(&format!("({number}, {name:?}, {class:?}),\n"));
    }
    out + "]"
}

/// Each line `NAME = NUMBER,` of the C enumerations as a Rust constant.
fn constants(protocol: &str) -> String {
    let mut out = String::new();
    for line in protocol.lines() {
        let Some((name, rest)) = line.trim().split_once(" = ") else { continue };
        let number = rest.split(',').next().unwrap_or_default();
        if ["OP_", "RUN_", "LIM_", "FD_", "PART_", "HOW_", "ACC_", "UNLOCKED_"]
            .iter()
            .any(|p| name.starts_with(p))
            && number.parse::<u32>().is_ok()
        {
            let kind = match &name[..3] {
                "LIM" => "usize",
                "FD_" => "i64",
                _ => "u32",
            };
            out.push_str(&format!("pub const {name}: {kind} = {number};\n"));
        }
    }
    out
}
