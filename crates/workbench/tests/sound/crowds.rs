//! Models with many processes, made while they run: states of many shapes and of many parts, so
//! that a store gives its states new keys again and again.
//!
//! Random programs have few processes. These have up to 250, and both orders of search and every
//! reduction are compared with the reference stepper and with each other, as elsewhere.

use crate::subjects::{Subject, judge_all, subject};
use crate::{reduced, steppers};
use logic::random::Random;

/// A model in which each process creates the next, or one creates all.
fn crowd(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut up_to = |low: usize, high: usize| low + random.below(high - low + 1);
    let most = [up_to(2, 30), up_to(40, 130), up_to(130, 250)][up_to(0, 2)];
    let chosen = up_to(0, most);
    let local = ["", "int y;", "byte y[3];", "chan own = [1] of { byte };"][up_to(0, 3)];
    let before = ["", "g++;", "y2 = k;", "q!k;"][up_to(0, 3)];
    let after = [
        format!("end: k == {chosen} && h == 1; assert(g != {})", up_to(1, 3)),
        format!(
            "h = h ^ (k == {}); end: k == {chosen} && g == 1; assert(h != {})",
            up_to(0, most),
            up_to(0, 2)
        ),
        format!("end: k == {chosen} && g == {}; h = 1; g == 2; assert(false)", up_to(1, 2)),
        "k < 3 && g == 2".to_owned(),
        String::from("skip"),
    ][up_to(0, 4)]
    .clone();
    let last = ["h = 1; g = 2", "g = 2; h = 1; g = 3", "if :: g = 2 :: g = 3 fi; h = 1"][up_to(0, 2)];
    let declared = "int g, h; byte y2; chan q = [1] of { byte };";
    if up_to(0, 1) == 0 {
        return format!(
            "{declared}\nproctype P(int k) {{ {local} {before} if :: k > 0 -> run P(k - 1) :: else fi; \
             {after} }}\ninit {{ run P({most}); g = 1; {last} }}"
        );
    }
    format!(
        "{declared}\nproctype P(int k) {{ {local} {after} }}\ninit {{ byte i; atomic {{ do :: i < {most} -> \
         run P(i); i++ :: else -> break od }} g = 1; {last} }}"
    )
}

fn crowds(seeds: std::ops::Range<u64>) -> Vec<Subject> {
    seeds.filter_map(|seed| subject(&format!("crowd {seed}"), &crowd(seed))).collect()
}

#[test]
fn steppers_agree_where_processes_are_many() {
    let (judged, complaints) = judge_all(&crowds(0..60), |subject| steppers::complaints(subject, 500));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 15, "only {judged} models were compared");
}

#[test]
fn reductions_agree_where_processes_are_many() {
    let (judged, complaints) = judge_all(&crowds(1_000..1_024), |subject| reduced::complaints(subject, 500));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 6, "only {judged} models were compared");
}
