//! Runs of `.tvm` and `.java` files are recorded and taken again.

use std::path::Path;
use std::process::Command;

fn weave(arguments: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_weave")).args(arguments).output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn a_recorded_run_is_taken_again() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/shapes");
    for (name, property, ending) in [
        ("buffer_notify.tvm", "deadlock", "ends in a deadlock"),
        ("mutex_never_taken.tvm", "idle", "repeats from step"),
        ("MutexBroken.java", "critical", "could go on"),
    ] {
        let file = models.join(name);
        let trace = std::env::temp_dir().join(format!("weave-{}-{name}.json", std::process::id()));
        let (file, written) = (file.to_string_lossy(), trace.to_string_lossy());
        let (_, code) = weave(&["check", &file, "--property", property, "--trace", &written]);
        assert_eq!(code, Some(1), "{name}");
        let (reported, code) = weave(&["replay", &written]);
        assert!(code == Some(0) && reported.contains(ending), "{name}: {reported}");
        let (state, code) = weave(&["replay", &written, "--step", "1"]);
        assert!(code == Some(0) && state.contains("After step 1"), "{name}: {state}");
        std::fs::remove_file(&trace).unwrap();
    }
}
