//! A property of runs that is asked alone: where its own search saw the whole reduced system, no
//! other search looks for run-time errors. The answer must be that of a search of all states.

use crate::subjects::{Subject, generated, judge_all, subject};
use workbench::listener::Interrupt;
use workbench::question::{ModelRequest, Selection};
use workbench::reduction::{ReductionKind, ReductionRequest};
use workbench::{Answer, Kind, Limits, Question, Verdict, check};

/// What can be asked of any program.
const FORMULAS: [&str; 4] =
    ["[] (_nr_pr < 200)", "[] <> (_nr_pr < 200)", "<> [] (_nr_pr < 200)", "(_nr_pr < 200) U (_nr_pr == 1)"];

#[test]
fn run_time_errors_are_found_without_a_search_of_their_own() {
    let count = std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(120);
    let subjects = generated(31_000..31_000 + count, "+d_step-block,+out-of-bounds");
    let (judged, complaints) = judge_all(&subjects, complaints);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged as u64 * 2 >= count, "only {judged} programs of {count} were compared");
}

/// Where nothing can be left out, the system is counted as a search of all states counts it.
#[test]
fn numbers_are_those_of_the_system() {
    let text = "byte x;
        active proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- :: x > 9 -> assert(false) od }
        ltl p { [] (x < 9) }";
    let whole = answer(text, &[Selection::Safety], ReductionKind::None);
    let alone = answer(text, &[Selection::Named("p".into())], ReductionKind::Persistent);
    let of = |answer: &Answer| answer.numbers.search.map(|n| (n.states, n.transitions));
    assert_eq!((alone.verdict, alone.exhausted), (Verdict::Holds, true));
    assert_eq!(of(&alone), of(&whole));
    assert_eq!(alone.unreached, whole.unreached);
    assert_eq!(alone.unreached.map(|all| all.len()), Some(2), "x > 9 and the assertion");
}

fn answer(text: &str, selected: &[Selection], kind: ReductionKind) -> Answer {
    let model = workbench::engine::load("shared.pml", text.to_string(), &ModelRequest::default());
    let reduction = ReductionRequest { kind: Some(kind), ..ReductionRequest::default() };
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    let (selected, keep_going) = (selected.to_vec(), kind == ReductionKind::None);
    let all = Question { raw: true, threads: 1, ..Question::default() };
    let request = Question { selected, reduction, limits, keep_going, ..all };
    let (model, interrupt) = (model.expect("the text is a model"), Interrupt::default());
    check(&model, &request, &interrupt, &mut |_| {}).expect("the model can be searched")
}

fn complaints(subject: &Subject) -> Option<Vec<String>> {
    let all = answer(&subject.text, &[Selection::Deadlock], ReductionKind::None);
    let verdict =
        |answer: &Answer, kind| answer.properties.iter().find(|p| p.kind == kind).map(|p| p.verdict);
    let expected = verdict(&all, Kind::Runtime).filter(|_| all.exhausted || all.errors.runtime > 0)?;
    let mut found = Vec::new();
    for formula in FORMULAS {
        let text = format!("{}\nltl asked {{ {formula} }}\n", subject.text);
        self::subject("with a formula", &text)?;
        let alone = answer(&text, &[Selection::Named("asked".into())], ReductionKind::Persistent);
        let said = verdict(&alone, Kind::Runtime);
        let wrong = match expected {
            Verdict::Violated => said == Some(Verdict::Holds),
            _ => said == Some(Verdict::Violated),
        };
        // Once a run breaks the formula nothing else is asked; else everything is decided.
        let open = said == Some(Verdict::Unknown) && verdict(&alone, Kind::Ltl) == Some(Verdict::Holds);
        let unreached =
            alone.unreached.is_some() && all.unreached.is_some() && alone.unreached != all.unreached;
        if wrong || open || unreached {
            found.push(format!("{formula}: {expected:?} expected, {said:?}\n{text}"));
        }
    }
    Some(found)
}
