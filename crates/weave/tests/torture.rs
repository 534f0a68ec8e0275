//! Hostile programs: `weave run` answers within its limits and leaves nothing behind, whatever they do.

mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const HEAD: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <string.h>\n#include <sys/mman.h>\n#include <sys/shm.h>\n#include <sys/syscall.h>\n#include <sys/wait.h>\n#include <fcntl.h>\n#include <unistd.h>\n";

/// Name, body, the verdicts that are true of it.
const HOSTILE: [(&str, &str, &[&str]); 12] = [
    ("bomb", "int main(void) { for (;;) fork(); }", &["unknown"]),
    (
        "session",
        "int main(void) { if (fork() == 0) { setsid(); volatile int n = 0; for (;;) n++; } return 0; }",
        &["violated"],
    ),
    ("massacre", "int main(void) { fork(); kill(-1, SIGKILL); return 0; }", &["unknown", "violated"]),
    ("closed", "int main(void) { for (int i = 0; i < 1024; i++) close(i); fork(); return 0; }", &["holds"]),
    (
        "eater",
        "int main(void) { for (;;) { char *p = malloc(1 << 20); if (!p) abort(); memset(p, 1, 1 << 20); } }",
        &["violated"],
    ),
    ("talker", "int main(void) { for (;;) puts(\"on and on\"); }", &["violated"]),
    (
        "sleeper",
        "int main(void) { sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, 0); pause(); return 0; }",
        &["violated"],
    ),
    (
        "deep sleeper",
        "int main(void) { sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, 0); syscall(SYS_pause); return 0; }",
        &["unknown"],
    ),
    (
        "other",
        "int main(void) { char *words[] = {\"sleep\", \"1000\", 0}; execvp(\"sleep\", words); return 1; }",
        &["unknown"],
    ),
    (
        "litter",
        "int main(void) { shmget(77, 4096, IPC_CREAT | 0600); return shm_open(\"/weave-litter\", O_CREAT | O_RDWR, 0600) < 0; }",
        &["holds"],
    ),
    (
        "overflow",
        "static int deep(int n) { volatile char a[4096]; a[0] = (char)n; return n ? deep(n + 1) + a[0] : 0; }\
        int main(void) { return deep(1); }",
        &["violated"],
    ),
    (
        "scribbler",
        "int main(void) { FILE *maps = fopen(\"/proc/self/maps\", \"r\"); char line[512]; fork();\
        while (fgets(line, sizeof line, maps)) { unsigned long a, b; if (strstr(line, \"memfd:weave\") && sscanf(line, \"%lx-%lx\", &a, &b) == 2)\
        for (volatile char *p = (char *)a; p < (char *)b; p++) *p = (char)0xa5; } fork(); for (;;) fork(); }",
        &["unknown", "violated", "holds"],
    ),
];

/// The answer, within two minutes.
fn answer(arguments: &[&str]) -> support::Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_weave"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    support::Answer {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Processes by this name.
fn processes(name: &str) -> usize {
    let all = std::fs::read_dir("/proc").unwrap().filter_map(|e| e.ok());
    let named = |e: &std::fs::DirEntry| {
        std::fs::read_to_string(e.path().join("comm")).is_ok_and(|c| c.trim() == name)
    };
    all.filter(named).count()
}

#[test]
fn hostile_programs_are_contained() {
    let folder = support::Folder::new("torture");
    let mut wrong = Vec::new();
    for (name, body, verdicts) in HOSTILE {
        let program = folder.path(&format!("wv-{name}"));
        let source = folder.write(&format!("{name}.c"), &format!("{HEAD}{body}\n"));
        let built =
            Command::new("cc").args(["-w", "-O1", "-pthread", "-o", &program, &source]).status().unwrap();
        assert!(built.success(), "{name}");
        let answer = answer(&[
            "run",
            "--json",
            "--timeout",
            "10s",
            "--divergence",
            "500ms",
            "--max-memory",
            "300M",
            "--depth",
            "200",
            &program,
        ]);
        let verdict = support::result(&answer)["verdict"].as_str().unwrap_or("none").to_string();
        if !verdicts.contains(&verdict.as_str()) {
            wrong.push(format!("{name}: {verdict}, {}", support::result(&answer)["reason"]));
        }
        if processes(&format!("wv-{name}")) > 0 {
            wrong.push(format!("{name}: processes are left"));
        }
    }
    if std::path::Path::new("/dev/shm/weave-litter").exists() {
        wrong.push("shared memory is left".to_string());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a run leaves in folders for all is gone before the next, and never seen outside.
#[test]
fn files_of_a_run_are_its_own() {
    let folder = support::Folder::new("torture-files");
    let program = folder.path("wv-files");
    let body = "int main(void) { struct stat s; mkdir(\"/tmp/weave-d\", 0700); if (!stat(\"/tmp/weave-d/f\", &s)) abort();\
        close(open(\"/tmp/weave-d/f\", O_CREAT | O_RDWR, 0600)); if (fork() == 0) _exit(0);\
        pthread_mutex_t *m = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); pthread_mutex_lock(m); return 0; }";
    let source = folder.write("files.c", &format!("{HEAD}#include <sys/stat.h>\n{body}\n"));
    let built = Command::new("cc").args(["-w", "-pthread", "-o", &program, &source]).status().unwrap();
    assert!(built.success());
    let answer = answer(&["run", "--json", "--keep-going", "--reduction", "none", &program]);
    let result = support::result(&answer);
    assert_eq!(result["verdict"], "holds", "{result}");
    assert!(!std::path::Path::new("/tmp/weave-d").exists(), "a folder is left");
}

/// Root on a machine without namespaces (here: in one that allows no more of them) has to say that the program is trusted.
#[test]
fn root_without_namespaces_is_refused() {
    let folder = support::Folder::new("torture-root");
    let program = folder.path("wv-trusted");
    let source = folder.write("trusted.c", "int main(void) { return 0; }\n");
    assert!(Command::new("cc").args(["-o", &program, &source]).status().unwrap().success());
    let weave = env!("CARGO_BIN_EXE_weave");
    let run = |more: &str| {
        let line = format!("echo 0 > /proc/sys/user/max_user_namespaces && {weave} run {more} {program}");
        let output = Command::new("unshare").args(["-Ur", "sh", "-c", &line]).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, words) = run("");
    assert!(code != Some(0) && words.contains("--trust"), "{code:?} {words}");
    let (code, words) = run("--trust");
    assert_eq!(code, Some(0), "{words}");
}
