//! Classes of formulas against textbook examples, theorems, and brute force over lassos.

#[path = "support/random.rs"]
mod random;

use logic::automata::TooLarge;
use logic::ltl::classify::{Class, Language, is_stepless};
use logic::ltl::semantics::satisfies;
use logic::ltl::syntax::{Reading, read};
use logic::ltl::{Binary, Formula, Lasso, Syntax, Unary};
use random::{Random, Shape};
use source::Span;

/// Atoms are p0, p1, …
fn formula(text: &str) -> Formula<usize> {
    let atom = |text: &str, _| Ok(text[1..].parse::<usize>().unwrap());
    read(text, Span::default(), Reading::Only(Syntax::Common), atom).unwrap().0
}

fn language(text: &str) -> Language {
    Language::of(&formula(text)).unwrap()
}

#[test]
fn textbook_classes() {
    for (text, class) in [
        ("true", Class::Bounded),
        ("p0 & X p1", Class::Bounded),
        ("G p0", Class::Safety),
        ("p0 W p1", Class::Safety),
        ("G (p0 -> O p1)", Class::Safety),
        ("G (p0 -> X X p1)", Class::Safety),
        ("p0 ==> !p1 W p1 W !p1 W p2", Class::Safety),
        ("F p0", Class::Guarantee),
        ("p0 U p1", Class::Guarantee),
        ("F (p0 & O p1)", Class::Guarantee),
        ("F p0 -> F p1", Class::Obligation),
        ("G p0 | F p1", Class::Obligation),
        ("G F p0", Class::Recurrence),
        ("G (p0 -> F p1)", Class::Recurrence),
        ("G F p0 & G F p1", Class::Recurrence),
        ("G F (p0 & Y p1)", Class::Recurrence),
        ("F G p0", Class::Persistence),
        ("F G p0 | F G p1", Class::Persistence),
        ("p0 -> F G p1", Class::Persistence),
        ("G F p0 -> G F p1", Class::Reactivity),
        ("F G p0 | G F p1", Class::Reactivity),
        // Not what they look like.
        ("G F p0 & F p0 | F G !p0 & F p0", Class::Guarantee),
        ("G (p0 -> F G p0)", Class::Persistence),
        ("F (p0 & G p0)", Class::Persistence),
        ("G F p0 | F G !p0", Class::Bounded),
        ("F (p0 & X !p0) | G p0", Class::Guarantee),
        ("F (p0 & X !p0) | G p1", Class::Obligation),
    ] {
        assert_eq!(language(text).class(), Ok(class), "{text}");
    }
}

#[test]
fn liveness_is_what_no_prefix_can_break() {
    for (text, live) in [
        ("true", true),
        ("false", false),
        ("F p0", true),
        ("G F p0", true),
        ("G p0", false),
        ("p0 U p1", false),
        ("G (p0 -> F p1)", true),
        ("F p0 | G p1", true),
        ("p0 & F p1", false),
        ("F (p0 & X p1) & (G F p1 -> G F p0)", true),
    ] {
        assert_eq!(language(text).is_liveness(), Ok(live), "{text}");
    }
}

#[test]
fn stuttering() {
    for (text, invariant) in [
        ("X p0", false),
        ("F (p0 & X !p0)", true),
        ("F (p0 & X p0)", false),
        ("G F X p0", true),
        ("G (p0 -> Y p1)", false),
        ("F (p0 & Y !p0)", true),
        ("X p0 | X !p0", true),
        ("p0 & X (p0 U p1)", false),
        ("p0 & (p1 | X (p0 U p1))", true),
        ("p1 | p0 & X (p0 U p1)", true),
        ("G (p0 -> O p1)", true),
        ("F (Z false & p0)", true),
    ] {
        assert_eq!(language(text).is_stutter_invariant(), Ok(invariant), "{text}");
    }
}

/// A label that would need a conjunction for half of all valuations is refused at once.
#[test]
fn parity_is_too_large() {
    let text = (1..30).fold("p0".to_owned(), |text, p| format!("(p{p} <-> {text})"));
    assert_eq!(Language::of(&formula(&text)).err(), Some(TooLarge::Labels));
}

/// The word with each letter repeated so often as the numbers say, in turn.
fn stretch(word: &Lasso<u64>, random: &mut Random) -> Lasso<u64> {
    let mut repeat = |letters: &[u64]| -> Vec<u64> {
        letters.iter().flat_map(|letter| vec![*letter; 1 + random.below(3)]).collect()
    };
    let stem = repeat(&word.stem);
    Lasso::new(stem, repeat(&word.cycle))
}

#[test]
fn stutter_invariance_against_stretched_words() {
    let mut random = Random::new(41);
    let shape = Shape { size: 9, propositions: 2, ..Shape::default() };
    let unary =
        vec![Unary::Not, Unary::Next, Unary::Next, Unary::Previous, Unary::WeakPrevious, Unary::Always];
    let shape = Shape { unary, ..shape };
    let (mut invariant, mut sensitive, mut shown) = (0, 0, 0);
    for _ in 0..1500 {
        let formula = random::formula(&mut random, &shape);
        let mut language = Language::of(&formula).unwrap();
        // Words near the border between yes and no tell most.
        let drawn: Vec<_> = (0..60).map(|_| random::lasso(&mut random, 2, 3, 3)).collect();
        let words: Vec<_> =
            drawn.into_iter().chain(language.witness()).chain(language.counterexample()).collect();
        let differs = words.iter().any(|word| {
            let stretched = stretch(word, &mut random);
            satisfies(word, &formula) != satisfies(&stretched, &formula)
        });
        let answer = language.is_stutter_invariant().unwrap();
        assert!(!(answer && differs), "{formula:?}");
        if is_stepless(&formula) {
            // The test by automaton must agree with the test by text.
            let twice = Formula::binary(Binary::Or, formula.clone(), formula.clone());
            let step = Formula::unary(Unary::Next, Formula::TRUE);
            language = Language::of(&Formula::binary(Binary::And, twice, step)).unwrap();
            assert_eq!(language.is_stutter_invariant(), Ok(true), "{formula:?}");
        }
        invariant += usize::from(answer);
        sensitive += usize::from(!answer);
        shown += usize::from(differs);
    }
    // Most of the sensitive ones are shown to be so by drawn words.
    assert!(
        invariant > 300 && sensitive > 300 && shown * 10 > sensitive * 8,
        "{invariant} {sensitive} {shown}"
    );
}

/// The definitions of the classes by limits, tried on drawn words: a wrong "yes" is found by a word
/// that breaks the definition.
#[test]
fn classes_against_their_definitions() {
    let mut random = Random::new(42);
    let shape = Shape { size: 9, propositions: 2, ..Shape::default() };
    let mut counts = [0; 5];
    for _ in 0..1200 {
        let formula = random::formula(&mut random, &shape);
        let language = Language::of(&formula).unwrap();
        let [safety, guarantee] = [language.is_safety().unwrap(), language.is_guarantee().unwrap()];
        let [recurrence, persistence] =
            [language.is_recurrence().unwrap(), language.is_persistence().unwrap()];
        let live = language.is_liveness().unwrap();
        for (count, yes) in counts.iter_mut().zip([safety, guarantee, recurrence, persistence, live]) {
            *count += usize::from(yes);
        }
        let class = language.class().unwrap();
        let within = [Class::Safety, Class::Guarantee, Class::Recurrence, Class::Persistence];
        let answers = within.map(|other| class.is_within(other));
        assert_eq!(answers, [safety, guarantee, recurrence, persistence], "{formula:?} is {class:?}");
        assert_eq!(class.is_within(Class::Obligation), recurrence && persistence);
        assert_eq!(class.is_within(Class::Bounded), safety && guarantee);
        assert!(!safety || recurrence && persistence, "{formula:?}");
        assert!(!guarantee || recurrence && persistence, "{formula:?}");
        // Only true is both safe and live.
        assert!(!(safety && live) || language.counterexample().is_none(), "{formula:?}");
        let [mut broken_safety, mut broken_guarantee] = [false; 2];
        for _ in 0..30 {
            let word = random::lasso(&mut random, 2, 2, 2);
            let holds = satisfies(&word, &formula);
            // Every prefix up to a length far beyond the formula's memory can be turned into the
            // other truth: then the word is a limit of words of the other side.
            let limit = !(0..12).any(|length| decided(&language, &word, length, holds));
            broken_safety |= !holds && limit;
            broken_guarantee |= holds && limit;
        }
        assert!(!(safety && broken_safety), "{formula:?}");
        assert!(!(guarantee && broken_guarantee), "{formula:?}");
    }
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}

/// After this prefix of the word, is the formula decided to have this truth?
fn decided(language: &Language, word: &Lasso<u64>, length: usize, truth: bool) -> bool {
    let other = if truth { &language.others } else { &language.words };
    // The words that begin with the prefix and are of the other truth.
    let mut states = other.clone();
    let prefix: Vec<u64> = (0..length).map(|at| *word.at(at)).collect();
    let mut reached = vec![states.initial];
    for letter in prefix {
        let next = reached.iter().flat_map(|state| &states.states[*state]);
        let mut next: Vec<usize> = next.filter(|edge| edge.label.holds(letter)).map(|edge| edge.to).collect();
        next.sort_unstable();
        next.dedup();
        reached = next;
    }
    reached.iter().all(|state| {
        states.initial = *state;
        states.witness().is_none()
    })
}

#[test]
fn differences_are_words_of_one_side() {
    let mut random = Random::new(43);
    let shape = Shape { size: 8, propositions: 2, ..Shape::default() };
    let (mut equal, mut different) = (0, 0);
    for _ in 0..1500 {
        let (f, g) = (random::formula(&mut random, &shape), random::formula(&mut random, &shape));
        let (lf, lg) = (Language::of(&f).unwrap(), Language::of(&g).unwrap());
        match lf.difference(&lg).unwrap() {
            Some(word) => {
                different += 1;
                assert_ne!(satisfies(&word, &f), satisfies(&word, &g), "{f:?} {g:?} {word:?}");
            }
            None => {
                equal += 1;
                for _ in 0..100 {
                    let word = random::lasso(&mut random, 2, 3, 3);
                    assert_eq!(satisfies(&word, &f), satisfies(&word, &g), "{f:?} {g:?} {word:?}");
                }
            }
        }
        assert!(lf.witness().is_none_or(|word| satisfies(&word, &f)), "{f:?}");
        assert!(lf.counterexample().is_none_or(|word| !satisfies(&word, &f)), "{f:?}");
    }
    assert!(equal > 20 && different > 1000, "{equal} {different}");
}
