//! Broken texts: 10,000 mutations of the corpus go through the whole front end. Nothing panics,
//! everything said renders.

mod corpus;

use corpus::{diagnose, samples};
use logic::random::Random;

const MUTATIONS: usize = 10_000;

/// Pieces of text that are words, numbers, spaces or single characters.
fn pieces(text: &str) -> Vec<String> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut pieces: Vec<String> = Vec::new();
    let mut last = 2;
    for c in text.chars() {
        match pieces.last_mut() {
            Some(piece) if class(c) == last && last != 2 => piece.push(c),
            _ => pieces.push(c.to_string()),
        }
        last = class(c);
    }
    pieces
}

fn flip_byte(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if let Some(at) = (!bytes.is_empty()).then(|| random.below(bytes.len())) {
        bytes[at] ^= 1 << random.below(8);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn change_pieces(text: &str, random: &mut Random) -> String {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(4) {
        let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(4) {
            _ if pieces.is_empty() => {}
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[at].clone()),
            2 => pieces.swap(at, other),
            _ => pieces[at] = pieces[other].clone(),
        }
    }
    pieces.concat()
}

fn truncate(text: &str, random: &mut Random) -> String {
    let at = random.below(text.len() + 1);
    String::from_utf8_lossy(&text.as_bytes()[..at]).into_owned()
}

/// Puts a deep nest somewhere between two pieces.
fn nest(text: &str, random: &mut Random) -> String {
    const NESTS: &[(&str, &str)] = &[
        ("{", "}"),
        ("(", ")"),
        ("if :: ", " fi"),
        ("a[", "]"),
        ("!", ""),
        ("atomic {", "}"),
        ("(1 -> 2 : ", ")"),
        ("[]", ""),
    ];
    let mut pieces = pieces(text);
    let (open, close) = NESTS[random.below(NESTS.len())];
    let depth = 1 << random.below(13);
    let nested = format!(" {} skip {} ", open.repeat(depth), close.repeat(depth));
    pieces.insert(random.below(pieces.len() + 1), nested);
    pieces.concat()
}

#[test]
fn nothing_panics_and_everything_renders() {
    let samples = samples();
    let mut random = Random::new(1);
    let mut said = 0;
    for round in 0..MUTATIONS {
        let sample = &samples[random.below(samples.len())];
        let text = match random.below(8) {
            0 | 1 => flip_byte(&sample.text, &mut random),
            2 => truncate(&sample.text, &mut random),
            3 => nest(&sample.text, &mut random),
            _ => change_pieces(&sample.text, &mut random),
        };
        let (_, diagnostics) = diagnose(&format!("{} mutated in round {round}", sample.name), &text);
        said += usize::from(!diagnostics.is_empty());
    }
    assert!(said > MUTATIONS / 3, "only {said} of {MUTATIONS} mutations were noticed");
}
