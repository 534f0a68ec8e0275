//! Mutated programs neither panic nor hang, whatever is left of them.

use logic::random::Random;
use source::SourceMap;

const TEXTS: [&str; 6] = [
    include_str!("../../../models/spl/bakery2.spl"),
    include_str!("../../../models/spl/bakery_n.spl"),
    include_str!("../../../models/spl/mux_sem.spl"),
    "type t = {a, b} local c : channel [1..2] of t local r : record {x : int; y : t}
     macro m(k) = r.x > k
     [ l0: < c <= a; r.x := 1 > or l1: when m(2) do c => r.y ] || [ k0: while true do k1: if r.x = 1 then skip else [skip || skip] ]
     PROPERTY p : [] Forall i:[1..3]. (l0 --> <>(r.x != i)) PROOF p : B-INV m(1) by l0 rank r.x using p",
    "Transition System local x : int Initially x = 0 Transition t [i:[1..2]] Just: enable x > i assign x := x + 1 relation x' > x",
    "local a : array [0..3] of channel of int ||[i:0..3] P[i]:: [local z : int; l0: a[i] => z; l1: a[(i + 1) mod 4] <= z div i]",
];

fn mutate(text: &str, dice: &mut Random) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', '(', ')', '[', ']', ';']).collect();
    for _ in 0..=dice.below(4) {
        let at = dice.below(words.len());
        match dice.below(4) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[dice.below(words.len())]),
            2 => {
                let other = dice.below(words.len());
                words.swap(at, other);
            }
            _ => words.truncate(at.max(1)),
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

#[test]
fn mutants_are_survived() {
    let mut dice = Random::new(3);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..6_000 {
        let text = mutate(TEXTS[round % TEXTS.len()], &mut dice);
        let mut map = SourceMap::new();
        let root = map.add("mutant.spl", text);
        let (fts, diagnostics) = spl::read(&map, &[root]);
        assert_eq!(fts.is_none(), diagnostics.iter().any(|d| d.is_error()));
        if fts.is_some() { accepted += 1 } else { refused += 1 }
    }
    assert!(accepted > 300 && refused > 1_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn deep_nesting_is_refused() {
    for text in ["[".repeat(5_000), format!("l0: await {}", "~(".repeat(5_000)), "<".repeat(4_000)] {
        let mut map = SourceMap::new();
        let root = map.add("deep.spl", text);
        let (fts, diagnostics) = spl::read(&map, &[root]);
        assert!(fts.is_none() && !diagnostics.is_empty());
    }
}
