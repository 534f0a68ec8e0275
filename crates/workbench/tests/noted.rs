//! What a job notes while it works is what an answer says if the job is cut off. So it lists every
//! property that was asked for, and knows of each no more than the whole answer says.

use std::path::{Path, PathBuf};
use std::time::Duration;
use workbench::{
    Answer, Engine, Interrupt, Limits, ProofOptions, Question, Subject, SubjectRequest, Verdict, answer,
};

fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(folder);
    let mut found: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
    found.retain(|f| f.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)));
    found.sort();
    found
}

/// Asks, and compares the answer with what was noted.
fn ask(file: &Path, question: &Question) -> Option<Answer> {
    let request = SubjectRequest { files: vec![file.to_path_buf()], ..SubjectRequest::default() };
    let subject = Subject::read(&request).ok()?;
    let job = Interrupt::default();
    let given = answer(&subject, question, &job, &mut |_| {}).ok()?;
    let board = job.board();
    for property in given.properties.iter().filter(|p| p.verdict != Verdict::Holds) {
        // Type checks are noted where they are asked for.
        let runtime = property.kind == workbench::Kind::Runtime && question.engine == Engine::Prove;
        let listed = board.properties.iter().any(|p| p.name == property.name && p.kind == property.kind);
        assert!(listed || runtime, "{}: {} is not noted", file.display(), property.name);
    }
    for noted in board.properties.iter().filter(|p| p.verdict != Verdict::Unknown) {
        let said = given.properties.iter().find(|p| p.name == noted.name && p.kind == noted.kind);
        let said = said.unwrap_or_else(|| panic!("{}: {} is not answered", file.display(), noted.name));
        assert_eq!(said.verdict, noted.verdict, "{}: {}", file.display(), noted.name);
    }
    if let Some(violation) = &board.violation {
        let shown = given.violations.iter().any(|v| v.property == violation.property);
        assert!(shown, "{}: a violation of {} is noted alone", file.display(), violation.property);
    }
    Some(given)
}

fn limits() -> Limits {
    Limits { states: Some(3_000), time: Some(Duration::from_secs(1)), ..Limits::default() }
}

#[test]
fn a_search_notes_what_it_answers() {
    let question = Question { limits: limits(), keep_going: true, threads: 1, ..Question::default() };
    let all = [files("spl", &["spl", "fts"]), files("promela", &["pml"])].concat();
    let answered = all.iter().filter_map(|file| ask(file, &question)).count();
    assert!(answered > 150, "{answered}");
}

#[test]
fn proofs_and_abstractions_note_what_they_answer() {
    let proofs = |basis: Option<&str>| ProofOptions {
        basis: basis.map(str::to_string),
        rules_only: true,
        ..ProofOptions::default()
    };
    let mut violated = 0;
    for file in files("spl", &["spl", "fts"]) {
        let question = |proofs| Question {
            engine: Engine::Prove,
            limits: limits(),
            threads: 1,
            proofs,
            ..Question::default()
        };
        ask(&file, &question(proofs(None)));
        let given = ask(&file, &question(proofs(Some("auto"))));
        violated += usize::from(given.is_some_and(|a| a.verdict == Verdict::Violated));
    }
    assert!(violated >= 10, "{violated}");
}
