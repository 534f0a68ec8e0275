//! Commands as a shell and its user see them: standard input, colours, help, completions, manual
//! pages, a disk that is full.

mod support;

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use support::{Folder, model, root, valid, weave, weave_with_input};

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join("models").join(path)).unwrap()
}

#[test]
fn standard_input_is_a_file_of_any_kind() {
    for (command, path, code) in [
        ("check", "promela/peterson.pml", 0),
        ("check", "promela/hyman.pml", 1),
        ("check", "spl/peterson.spl", 0),
        ("prove", "spl/peterson.spl", 0),
        ("check", "spl/justice.fts", 1),
        ("check", "shapes/mutex.tvm", 0),
        ("check", "shapes/Mutex.java", 0),
        ("simulate", "promela/peterson.pml", 0),
    ] {
        let answer = weave_with_input(&[command, "-"], &text(path));
        assert_eq!(answer.code, code, "{command} {path}: {answer:?}");
        assert_eq!(answer.last_line(), format!("reproduce: weave {command} -"), "{path}");
    }
    let named = weave_with_input(&["check", "--kind", "spl", "-", "--json"], &text("spl/flags_wrong.spl"));
    let result = valid(&named).pop().unwrap();
    assert_eq!((named.code, &result["reproduce"]), (1, &"weave check --kind spl -".into()));
    assert_eq!(result["violations"][0]["location"]["file"], "-");
}

#[test]
fn what_standard_input_is_must_be_clear() {
    let refused = |words: &[&str], input: &str, says: &str| {
        let answer = weave_with_input(words, input);
        assert_eq!(answer.code, 2, "{words:?}: {answer:?}");
        assert!(answer.stderr.contains(says), "{words:?}: {}", answer.stderr);
    };
    refused(&["check", "-"], "what is this?\n", "give --kind promela, spl, fts, tvm or java");
    refused(&["check", "-"], "", "this file is empty");
    refused(&["run", "-"], "int main(void) { return 0; }\n", "a program is a file");
    refused(&["simulate", "--interactive", "-"], "init { skip }\n", "name a file for the model");
    refused(&["diff-spin", "-"], "init { skip }\n", "name a file for the model");
    refused(&["check", "--kind", "spl", &model("peterson.pml")], "", "--kind is for standard input");
    refused(&["check", "-", "--kind", "perl"], "", "perl");
}

#[test]
fn a_trace_of_standard_input_needs_it_again() {
    let folder = Folder::new("input-trace");
    let trace = folder.path("bug.trace");
    let hyman = text("promela/hyman.pml");
    assert_eq!(weave_with_input(&["check", "-", "--trace", &trace], &hyman).code, 1);
    assert_eq!(weave_with_input(&["replay", &trace], &hyman).code, 0);
    assert_eq!(weave_with_input(&["replay", &trace], &text("promela/peterson.pml")).code, 2);
    assert_eq!(weave(&["replay", &trace, "--model", &model("hyman.pml")]).code, 0);
    let recorded = std::fs::read_to_string(&trace).unwrap();
    assert_eq!(weave_with_input(&["replay", "-", "--model", &model("hyman.pml")], &recorded).code, 0);
}

#[test]
fn a_formula_may_come_from_standard_input() {
    let answer = weave_with_input(&["ltl", "-", "--is", "safety"], "[] (p -> q)\n");
    assert_eq!(answer.code, 0, "{answer:?}");
}

#[test]
fn definitions_that_nothing_mentions_are_refused() {
    let peterson = model("peterson.pml");
    let answer = weave(&["check", "-D", "PETERSON_X=3", &peterson]);
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(answer.stderr.contains("the model does not mention `PETERSON_X`"), "{}", answer.stderr);
    let folder = Folder::new("mention");
    folder.write("size.h", "#ifdef WIDE\n#define N 3\n#else\n#define N 2\n#endif\n");
    let file = folder.write("m.pml", "#include \"size.h\"\nbyte a[N];\nactive proctype P() { a[0] = 1 }\n");
    assert_eq!(weave(&["check", "-D", "WIDE", &file]).code, 0);
    assert_eq!(weave(&["check", "-D", "N=4", &file]).code, 0);
    assert_eq!(weave(&["check", "-D", "WID", &file]).code, 2);
    assert_eq!(weave(&["check", "-D", "K=2", "-D", "N=K", &file]).code, 0);
    let asked = ["check", "-D", "FIRST=0", "--ltl", "[] (a[FIRST] < 2)", &file];
    assert_eq!(weave(&asked).code, 0, "a formula mentions it: {:?}", weave(&asked));
}

#[test]
fn colours_are_as_they_were_asked_for() {
    let hyman = model("hyman.pml");
    let always = weave(&["check", "--color", "always", &hyman]);
    assert!(always.stdout.starts_with("\u{1b}[1;31mVIOLATED"), "{}", always.stdout);
    assert!(always.last_line().ends_with(&format!("weave check {hyman}")), "{}", always.last_line());
    let wrong = weave(&["check", "--color=always", "no_such_model.pml", "--nonsense"]);
    assert!(wrong.code == 2 && wrong.stderr.contains('\u{1b}'), "{}", wrong.stderr);
    for how in ["auto", "never"] {
        assert!(!weave(&["check", "--color", how, &hyman]).stdout.contains('\u{1b}'), "{how}");
    }
    assert!(weave(&["--color", "always", "check", "--help"]).stdout.contains('\u{1b}'));
    assert_eq!(weave(&["check", "--color", "perhaps", &hyman]).code, 2);
}

/// Standard output on a disk that is full.
fn to_full_disk(words: &[&str]) -> (i32, String) {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_weave"))
        .args(words)
        .stdin(Stdio::null())
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_full_disk_is_an_error() {
    let (peterson, hyman) = (model("peterson.pml"), model("hyman.pml"));
    let commands: [(&[&str], i32); 8] = [
        (&["check", &peterson], 2),
        (&["check", &peterson, "--json"], 2),
        (&["check", &peterson, "--format", "sarif"], 2),
        (&["check", &hyman], 1),
        (&["simulate", &peterson], 2),
        (&["doctor"], 2),
        (&["completions", "bash"], 2),
        (&["check", "--help"], 2),
    ];
    for (words, code) in commands {
        let (ended, said) = to_full_disk(words);
        assert_eq!(ended, code, "{words:?}: {said}");
        assert!(said.contains("standard output: No space left"), "{words:?}: {said}");
    }
    let limited = to_full_disk(&["check", "--timeout", "1s", &model("peterson.pml")]);
    assert_eq!(limited.0, 2, "{limited:?}");
}

#[test]
fn help_is_short_or_long() {
    for command in ["check", "prove", "run"] {
        let (short, long) = (weave(&[command, "-h"]).stdout, weave(&[command, "--help"]).stdout);
        let lines = short.lines().count();
        assert!(lines <= 64 && lines * 2 < long.lines().count(), "{command}: {lines} lines\n{short}");
        assert!(short.lines().all(|line| line.chars().count() <= 100), "{command}: {short}");
        for heading in ["What is asked:", "Limits:", "Output:"] {
            assert!(short.contains(heading) && long.contains(heading), "{command}: {heading}");
        }
        assert!(long.contains("Examples:") && short.contains("--help"), "{command}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new("man");
    let pages = folder.path("man1");
    assert_eq!(weave(&["man", &pages]).code, 0);
    for command in
        ["check", "prove", "run", "simulate", "replay", "ltl", "explain", "doctor", "test", "studio"]
    {
        let page = std::fs::read_to_string(Path::new(&pages).join(format!("weave-{command}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains(".SH NAME"), "{command}: {page}");
    }
    let check = std::fs::read_to_string(Path::new(&pages).join("weave-check.1")).unwrap();
    assert!(check.contains("keep\\-going") && check.contains("weave\\-check"), "{check}");
    let all = std::fs::read_to_string(Path::new(&pages).join("weave.1")).unwrap();
    assert!(all.contains("weave\\-check") && !all.contains("weave\\-names"), "{all}");
}

#[test]
fn properties_are_named_for_completions() {
    let names = |words: &[&str]| weave(&[&["names", "--"], words].concat()).stdout;
    let file = model("peterson_ltl.pml");
    assert!(names(&["--property", "", &file]).contains("exclusion\n"));
    let spl = root().join("models/spl/bakery2.spl").to_string_lossy().into_owned();
    assert!(names(&["--property", &spl]).contains("mux\n"));
    assert_eq!(names(&["--property", "no_such_file.pml"]), "");
}

/// What bash completes, as it asks a script that is sourced.
fn completed_by_bash(line: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_weave"));
    let script = format!(
        "PATH={}:$PATH; source <(weave completions bash); COMP_WORDS=({line}); COMP_CWORD=$1; \
         _weave_names weave \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        binary.parent().unwrap().display()
    );
    let words: Vec<&str> = line.split(' ').collect();
    let at = words.iter().position(|word| *word == "''" || word.ends_with('?')).unwrap_or(0);
    let script = script.replace('?', "");
    let output = Command::new("bash").args(["-c", &script, "bash", &at.to_string()]).output().unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

#[test]
fn bash_completes_names_of_properties_and_all_else() {
    let file = model("peterson_ltl.pml");
    let names = completed_by_bash(&format!("weave check --property ex? {file}"));
    assert_eq!(names.trim(), "exclusion", "{names}");
    let options = completed_by_bash("weave check --keep?");
    assert_eq!(options.trim(), "--keep-going", "{options}");
    let commands = completed_by_bash("weave sim?");
    assert_eq!(commands.trim(), "simulate", "{commands}");
}

#[test]
fn the_doctor_says_what_each_thing_is_for() {
    let answer = weave(&["doctor"]);
    for name in ["cc ", "gdb ", "z3 ", "cvc5 ", "namespaces ", "huge pages "] {
        let line = answer.stdout.lines().find(|l| l.trim_start().starts_with(name));
        assert!(line.is_some(), "{name}: {}", answer.stdout);
    }
    assert!(answer.stdout.contains("`weave run --gdb`") && answer.stdout.contains("`weave prove`"));
    assert!(answer.stdout.lines().all(|l| l.chars().count() <= 110), "{}", answer.stdout);
}

/// On a terminal the progress line says how long it takes and what is done; `script` is one.
#[test]
fn the_progress_line_is_for_terminals() {
    let folder = Folder::new("progress");
    let endless = "active [6] proctype P() {\n  int x;\n  do\n  :: x >= 0 -> x++\n  od\n}\n";
    let file = folder.write("endless.pml", endless);
    let weave = env!("CARGO_BIN_EXE_weave");
    let command = format!("{weave} check --timeout 3s {file}");
    let output = Command::new("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output();
    let shown = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(shown.contains(" s  searching: ") && shown.contains(" states/s"), "{shown:?}");
    let proved = root().join("bench/proofs/unbounded_queue.spl");
    let command = format!("{weave} prove --timeout 4s --threads 1 {}", proved.display());
    let output = Command::new("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output();
    let shown = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(shown.contains(" s  proving: ") && shown.contains(" of 6 decided"), "{shown:?}");
}
