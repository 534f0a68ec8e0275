//! Random SPL programs: what is proved of them is never found to be broken, and what is refuted is
//! never found to hold, by the two engines that look at every state.
//! `WEAVE_PROGRAMS=2000 cargo nextest run -p everyweave-workbench --test proofs` is the long run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use workbench::listener::Interrupt;
use workbench::prove::{Choice, Source, prove};
use workbench::{Engine, Limits, ProofOptions, Question, Verdict, transition};

/// Random numbers, and whether programs have lists and datatypes.
struct Random(logic::random::Random, bool);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    fn number(&mut self) -> String {
        match self.below(6) {
            0 => "0".to_string(),
            1 => "1".to_string(),
            2 => format!("({} + 1) mod 3", self.pick(&["x", "y"])),
            3 => format!("2 - {}", self.pick(&["x", "y"])),
            4 => "(if b then x else y)".to_string(),
            _ => self.pick(&["x", "y"]).to_string(),
        }
    }

    /// Conditions on a list and on a value of a datatype.
    fn structured_guard(&mut self) -> String {
        match self.below(7) {
            0 => format!("s {} nil", self.pick(&["=", "!="])),
            1 => format!("length(s) {} 1", self.pick(&["<", "=", ">"])),
            2 => format!("(s != nil /\\ head(s) = {})", self.number()),
            3 => format!("is_{}(o)", self.pick(&["none", "one", "two"])),
            4 => format!("(is_one(o) /\\ v(o) <= {})", self.number()),
            5 => format!("o = {}", self.slot()),
            _ => "(is_two(o) --> flag(o) \\/ length(s) = 0)".to_string(),
        }
    }

    fn slot(&mut self) -> String {
        match self.below(3) {
            0 => "none".to_string(),
            1 => format!("one({})", self.number()),
            _ => format!("two(b, {})", self.number()),
        }
    }

    /// Statements on them that are never without a value.
    fn structured(&mut self) -> String {
        match self.below(8) {
            0 | 1 => format!("< await length(s) < 2; s := cons({}, s) >", self.number()),
            2 => format!("< await length(s) < 2; s := append(s, {}) >", self.number()),
            3 => format!("when s != nil do < {} := head(s); s := tail(s) >", self.pick(&["x", "y"])),
            4 => format!("when is_one(o) do {} := v(o)", self.pick(&["x", "y"])),
            5 => "if is_two(o) then (o, b) := (one(w(o)), flag(o)) else o := two(~b, x)".to_string(),
            6 => "< if s = nil then o := none else o := one(s[length(s)]) >".to_string(),
            _ => format!("o := {}", self.slot()),
        }
    }

    fn guard(&mut self) -> String {
        if self.1 && self.below(2) == 0 {
            return self.structured_guard();
        }
        match self.below(6) {
            0 => "b".to_string(),
            1 => "~b".to_string(),
            2 => format!(
                "({} {} {})",
                self.number(),
                self.pick(&["= 1 /\\ 0 <", "= 1 \\/ 1 <", "<="]),
                self.number()
            ),
            _ => format!("{} {} {}", self.number(), self.pick(&["=", "!=", "<", "<=", ">"]), self.number()),
        }
    }

    fn assignment(&mut self) -> String {
        match self.below(5) {
            0 => format!("b := ({})", self.guard()),
            1 => format!("(x, y) := ({}, {})", self.number(), self.number()),
            2 => "choose b".to_string(),
            _ => format!("{} := {}", self.pick(&["x", "y"]), self.number()),
        }
    }

    fn statement(&mut self) -> String {
        if self.1 && self.below(2) == 0 {
            return self.structured();
        }
        match self.below(12) {
            0 => "noncritical".to_string(),
            1 => "skip".to_string(),
            2 | 3 => format!("await {}", self.guard()),
            4 => format!("if {} then {}", self.guard(), self.assignment()),
            5 => format!("while {} do {}", self.guard(), self.assignment()),
            6 => format!("< await {}; {} >", self.guard(), self.assignment()),
            7 => format!(
                "[ when {} do {} or when {} do {} ]",
                self.guard(),
                self.assignment(),
                self.guard(),
                self.assignment()
            ),
            8 => "< request r; release r >".to_string(),
            _ => self.assignment(),
        }
    }

    fn process(&mut self, label: char) -> String {
        let mut body: Vec<String> = (0..2 + self.below(2)).map(|_| self.statement()).collect();
        if self.below(3) == 0 {
            body.insert(0, "request r".to_string());
            body.push("release r".to_string());
        }
        let lines: Vec<String> = body.iter().enumerate().map(|(n, s)| format!("{label}{n}: {s}")).collect();
        format!("[ loop forever do [ {} ] ]", lines.join("; "))
    }

    fn assertion(&mut self) -> String {
        match self.below(8) {
            0 => format!("{}{}", self.pick(&["l", "m"]), self.below(2)),
            1 => format!("~(l{} /\\ m{})", self.below(2), self.below(2)),
            2 => format!("l{} --> {}", self.below(2), self.guard()),
            3 => "0 <= x /\\ x <= 2 /\\ 0 <= y /\\ y <= 2".to_string(),
            4 => "0 <= r /\\ r <= 1".to_string(),
            5 => format!("m{} /\\ {}", self.below(2), self.guard()),
            _ => self.guard(),
        }
    }

    fn property(&mut self) -> String {
        let (p, q, r) = (self.assertion(), self.assertion(), self.assertion());
        match self.below(9) {
            0 => format!("({p}) ==> ({q}) Awaits ({r})"),
            1 | 2 => format!("({p}) ==> <>({q})"),
            3 => format!("<>({p})"),
            4 => format!("({p}) ==> <->({q})"),
            5 => format!("({p}) ==> ({q}) Since ({r})"),
            _ => format!("[]({p})"),
        }
    }

    fn program(&mut self) -> String {
        let (x, y) = (self.below(2), self.below(3));
        let b = self.pick(&["true", "~b"]);
        let mut text = format!(
            "local x, y, r : int where x = {x}, y = {y}, r = 1\nlocal b : bool where b = {}\n",
            b == "true"
        );
        if self.1 {
            text += "type slot = data {none | one(v : int) | two(flag : bool; w : int)}\n";
            text += "local s : list of int where s = nil\nlocal o : slot where o = none\n";
        }
        text += &format!("P:: {}\n||\nQ:: {}\n", self.process('l'), self.process('m'));
        for n in 0..4 {
            text += &format!("PROPERTY p{n} : {}\n", self.property());
        }
        text
    }
}

type Verdicts = BTreeMap<String, Verdict>;

fn proved(file: &Path) -> Verdicts {
    let source = Source::read(&[file.to_path_buf()], &[]).unwrap_or_else(|_| panic!("{}", file.display()));
    let request = Question {
        proofs: ProofOptions { solver: Choice::Embedded, rules_only: true, ..ProofOptions::default() },
        limits: Limits { time: Some(Duration::from_secs(4)), ..Limits::default() },
        ..Question::default()
    };
    let result = prove(&source, &request, &Interrupt::default()).expect("an answer");
    let types = result.numbers.proof.as_ref().map_or(0, |proof| proof.types.len());
    assert!(types == 0 || result.verdict != Verdict::Violated || !result.violations.is_empty());
    result.properties.into_iter().map(|p| (p.name, p.verdict)).collect()
}

fn checked(file: &Path, engine: Engine) -> Verdicts {
    let source = Source::read(&[file.to_path_buf()], &[]).unwrap_or_else(|_| panic!("{}", file.display()));
    let request = Question { keep_going: true, engine, ..Question::default() };
    let result = transition::check(&source, &request, &Interrupt::default(), &mut |_| {}).expect("an answer");
    result.properties.into_iter().map(|p| (p.name, p.verdict)).collect()
}

struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn what_is_proved_holds_and_what_is_refuted_does_not() {
    compare(false);
}

#[test]
fn so_it_is_with_lists_and_datatypes() {
    compare(true);
}

fn compare(structured: bool) {
    let wanted: u64 = std::env::var("WEAVE_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let first: u64 = std::env::var("WEAVE_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let (mut holds, mut violated, mut open) = (0, 0, 0);
    for seed in first..first + wanted {
        let mut random = Random(logic::random::Random::new(seed), structured);
        let text = random.program();
        let name = format!("weave-proofs-{}-{seed}-{structured}.spl", std::process::id());
        let file = Scratch(std::env::temp_dir().join(name));
        std::fs::write(&file.0, &text).unwrap();
        let explicit = checked(&file.0, Engine::Search);
        let symbolic = checked(&file.0, Engine::Symbolic);
        for (name, verdict) in proved(&file.0) {
            let reported = (verdict, explicit[&name], symbolic[&name]);
            let report = || format!("seed {seed}, {name}: proved, explicit, symbolic: {reported:?}\n{text}");
            assert_eq!(explicit[&name], symbolic[&name], "{}", report());
            match verdict {
                Verdict::Holds => holds += 1,
                Verdict::Violated => violated += 1,
                Verdict::Unknown => open += 1,
            }
            assert!(verdict == Verdict::Unknown || verdict == explicit[&name], "{}", report());
        }
    }
    assert!(holds >= wanted / 2 && violated >= wanted / 4, "{holds} proved, {violated} refuted, {open} open");
}
