//! Programs that are given as binaries, without instrumentation: what is not seen is not claimed.
//!
//! Each file of models/binaries says how it is compiled (`compile:`), what is expected (`expect:`,
//! `reason:`), what the answer must name (`unseen:`), and what is said if unseen memory is assumed
//! to carry nothing (`assumed:`).

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Folder, result, valid, weave, weave_with_input};

fn corpus() -> Vec<PathBuf> {
    let all = std::fs::read_dir(support::root().join("models/binaries")).unwrap();
    let mut all: Vec<PathBuf> = all.map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

fn compile(words: &str, files: &[&str], program: &str) {
    let mut words = words.split_whitespace();
    let compiler = words.next().unwrap();
    let done = Command::new(compiler).args(words).args(["-o", program]).args(files).status().unwrap();
    assert!(done.success(), "{compiler} {files:?}");
}

fn run(options: &[&str], program: &str) -> Value {
    let answer = weave(&[&["run", "--json", "--timeout", "300s"], options, &[program]].concat());
    valid(&answer);
    result(&answer)
}

fn named(reported: &Value, words: &str) -> bool {
    reported["unseen"].as_array().unwrap().iter().any(|l| l.as_str().unwrap().contains(words))
}

fn judge(file: &Path) {
    let folder = Folder::new("binaries");
    let head = support::head(file);
    let program = folder.path("program");
    compile(head.get("compile").unwrap(), &[&file.to_string_lossy()], &program);
    let reported = run(&[], &program);
    assert_eq!(reported["verdict"], head.get("expect").unwrap(), "{}: {reported}", file.display());
    let reason = head.get("reason").unwrap_or_default();
    assert!(reported["reason"].as_str().unwrap().starts_with(reason), "{}: {reported}", file.display());
    if let Some(words) = head.get("unseen") {
        assert!(named(&reported, words), "{}: {reported}", file.display());
    }
    if let Some(assumed) = head.get("assumed") {
        assert!(named(&reported, "weave cc") && named(&reported, "--assume unseen-memory"), "{reported}");
        let reported = run(&["--assume", "unseen-memory"], &program);
        assert_eq!(reported["verdict"], *assumed, "{}: {reported}", file.display());
        let line = |l: &Value| l.as_str().unwrap().starts_with("unseen memory");
        assert!(reported["assumes"].as_array().unwrap().iter().any(line), "{reported}");
    }
}

#[test]
fn every_binary_is_answered_as_expected() {
    let all = corpus();
    assert!(all.len() >= 5, "the corpus is missing");
    all.iter().for_each(|file| judge(file));
}

const LIBRARY: &str = "int count;\nint take(void) { return __atomic_fetch_add(&count, 1, 5); }\n\
    void put(int n) { __atomic_store_n(&count, n, 5); }\n";
const CALLER: &str = "#include <assert.h>\n#include <pthread.h>\nint take(void);\nvoid put(int);\n\
    static void *add(void *p) { put(take() + 1); return p; }\n\
    int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); return 0; }\n";
/// The same without atomic instructions.
const PLAIN: &str = "int count;\nint take(void) { return count; }\nvoid put(int n) { count = n; }\n";

/// An object or a library without instrumentation, in a program that has it, is found; if all have
/// it, everything is seen.
#[test]
fn parts_without_instrumentation_are_found() {
    let folder = Folder::new("binaries-parts");
    let caller = folder.write("caller.c", CALLER);
    for (name, text) in [("atomic", LIBRARY), ("plain", PLAIN)] {
        let part = folder.write(&format!("{name}.c"), text);
        let (object, program) = (folder.path(&format!("{name}.o")), folder.path(&format!("with-{name}")));
        compile("cc -O2 -c", &[&part], &object);
        assert_eq!(weave(&["cc", "-o", &program, &caller, &object]).code, 0);
        let reported = run(&["--races", "list"], &program);
        assert_eq!(reported["verdict"], "unknown", "{name}: {reported}");
        assert!(reported["reason"].as_str().unwrap().contains("is not seen"), "{name}: {reported}");
        assert!(named(&reported, "`take`"), "{reported}");

        let library = folder.path(&format!("lib{name}.so"));
        let linked = folder.path(&format!("linked-{name}"));
        compile("cc -O2 -shared -fPIC", &[&part], &library);
        assert_eq!(weave(&["cc", "-o", &linked, &caller, &library]).code, 0);
        let reported = run(&["--races", "list"], &linked);
        assert_eq!(reported["verdict"], "unknown", "{name}: {reported}");
        assert!(named(&reported, &format!("lib{name}.so")), "{reported}");

        let whole = folder.path(&format!("whole-{name}"));
        assert_eq!(weave(&["cc", "-o", &whole, &caller, &part]).code, 0);
        let reported = run(&["--races", "list"], &whole);
        assert_eq!(reported["verdict"], "holds", "{name}: {reported}");
        assert!(reported["runs"].as_u64().unwrap() > 1, "{reported}");
    }
}

/// A library that is loaded while the program runs counts as well.
#[test]
fn libraries_loaded_later_are_found() {
    let folder = Folder::new("binaries-later");
    let part = folder.write("part.c", PLAIN);
    let library = folder.path("libpart.so");
    compile("cc -O2 -shared -fPIC", &[&part], &library);
    let source = folder.write(
        "later.c",
        "#include <dlfcn.h>\n#include <pthread.h>\nstatic void (*put)(int);\n\
         static void *f(void *p) { put(1); return p; }\n\
         int main(int c, char **v) { pthread_t t; put = (void (*)(int))dlsym(dlopen(v[1], RTLD_NOW), \"put\"); if (!put) return 1;\n\
         pthread_create(&t, 0, f, 0); put(2); pthread_join(t, 0); return 0; }\n",
    );
    let program = folder.path("later");
    assert_eq!(weave(&["cc", "-o", &program, &source, "-ldl"]).code, 0);
    let answer = weave(&["run", "--json", "--exit", &program, "--", &library]);
    let reported = result(&answer);
    assert_eq!(reported["verdict"], "unknown", "{reported}");
    assert!(named(&reported, "libpart.so"), "{reported}");
}

/// Standard input is the same in every run, and what is printed on the way to a failure is shown.
#[test]
fn input_and_error_output() {
    let folder = Folder::new("binaries-input");
    let source = folder.write(
        "input.c",
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { char line[9];\n\
         while (fgets(line, sizeof line, stdin)) fprintf(stderr, \"got %s\", line); abort(); }\n",
    );
    let answer = weave_with_input(&["run", &source], "one\ntwo\n");
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.stdout.contains("| got one") && answer.stdout.contains("| got two"), "{answer:?}");
    let quiet = folder.write("quiet.c", "int main(void) { return 0; }\n");
    let answer = weave(&["run", "--quiet", &quiet]);
    assert!(answer.first_line().contains("nothing concurrent was seen"), "{answer:?}");
}
