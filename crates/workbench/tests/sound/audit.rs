//! What reductions rely on is true on the corpus and on generated programs, by execution; and local
//! states are kept.

use crate::subjects::{Subject, corpus, generated, judge_all};
use workbench::audit::{AuditRequest, audit};
use workbench::{ModelRequest, engine};

#[test]
fn nothing_invalid_is_found_on_the_corpus() {
    let (judged, complaints) = judge_all(&corpus(), |subject| complaints(subject, 15, 400));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 150, "only {judged} models were audited");
}

#[test]
fn nothing_invalid_is_found_on_generated_programs() {
    for features in
        ["", "+odd-labels,+d_step-block,+out-of-bounds", "+false-exclusive,+escapes,+odd-timeouts"]
    {
        let subjects = generated(9000..9040, features);
        let (judged, complaints) = judge_all(&subjects, |subject| complaints(subject, 15, 400));
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        assert!(judged >= 20, "only {judged} programs were audited ({features})");
    }
}

/// `None` if there is no reduction to audit.
fn complaints(subject: &Subject, sample: usize, states: u64) -> Option<Vec<String>> {
    let model = engine::load(&subject.name, subject.text.clone(), &ModelRequest::default()).ok()?;
    let result = audit(&model, &AuditRequest { sample, states }).ok()?;
    if result.refused.is_some() {
        return None;
    }
    Some(result.complaints.into_iter().map(|c| format!("{}: {}", c.mode, c.message)).collect())
}
