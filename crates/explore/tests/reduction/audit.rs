//! The auditor finds nothing wrong with what the object library says, and finds what a stepper that
//! lies says wrongly.

use crate::examples::{Example, example_4_8, example_6_1};
use crate::random::system;
use crate::slow::Slow;
use explore::reduction::audit::{Audit, Claim, Flaw, Sample, audit};
use independence::selective::Selective;
use independence::{FullExpansion, Method, Node, NotReduced, Set, node};
use objects::Dependency;
use space::{Edges, Fault, Label, Rest, Step, Stepper, Which};

const SAMPLE: Sample = Sample { states: 40, reach: 400, outside: 100 };

fn honest(example: &Example) -> Audit {
    audit(&mut Slow::new(&example.system, &example.state), SAMPLE)
}

#[test]
fn nothing_is_wrong_on_random_systems() {
    let (mut pairs, mut sets, mut triples) = (0, 0, 0);
    for seed in 0..300 {
        let audit = honest(&system(seed));
        assert!(audit.invalid.is_empty(), "seed {seed}: {:?}", audit.invalid);
        pairs += audit.pairs;
        sets += audit.sets;
        triples += audit.triples;
    }
    assert!(pairs > 5_000 && sets > 1_000 && triples > 100, "{pairs} pairs, {sets} sets, {triples} triples");
}

/// What a stepper lies about.
#[derive(Clone, Copy, PartialEq)]
enum Lie {
    /// All steps of different processes are independent, by this relation.
    Pairs(Dependency),
    /// No choice needs another.
    Sets,
}

struct Liar<'a>(Slow<'a>, Lie);

impl Stepper for Liar<'_> {
    fn initial(&mut self, out: &mut Edges) {
        self.0.initial(out)
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        self.0.expand(state, out)
    }

    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<Step>> {
        self.0.explain(state, which)
    }

    fn describe(&self, fault: Fault) -> String {
        self.0.describe(fault)
    }
}

impl Selective for Liar<'_> {
    fn prepare(&mut self) -> Result<(), NotReduced> {
        self.0.prepare()
    }

    fn load(&mut self, state: &[u8], edges: &Edges) -> bool {
        self.0.load(state, edges)
    }

    fn full_expansion(&self) -> Option<FullExpansion> {
        self.0.full_expansion()
    }

    fn nodes(&self) -> &[Node] {
        self.0.nodes()
    }

    fn gates(&self) -> Set {
        self.0.gates()
    }

    fn enabled(&self) -> Set {
        self.0.enabled()
    }

    fn visible(&self) -> Set {
        self.0.visible()
    }

    fn needs(&mut self, node: usize, method: Method, alternatives: &mut Vec<Set>) -> Option<()> {
        if self.1 == Lie::Sets {
            alternatives.clear();
            alternatives.push(0);
            return Some(());
        }
        self.0.needs(node, method, alternatives)
    }

    fn independent(&mut self, a: Label, b: Label, by: Dependency) -> bool {
        match self.1 {
            Lie::Pairs(about) if about == by => node(a).process != node(b).process,
            _ => self.0.independent(a, b, by),
        }
    }
}

fn lied_to(example: &Example, lie: Lie) -> Audit {
    audit(&mut Liar(Slow::new(&example.system, &example.state), lie), SAMPLE)
}

#[test]
fn a_wrong_relation_is_found() {
    for by in [Dependency::Constant, Dependency::Conditional, Dependency::Uniform] {
        let found = (0..20).flat_map(|seed| lied_to(&system(seed), Lie::Pairs(by)).invalid);
        let claims: Vec<Claim> = found.map(|i| i.claim).collect();
        assert!(claims.iter().any(|c| matches!(c, Claim::Pair { by: about, .. } if *about == by)), "{by:?}");
        let others = |c: &Claim| matches!(c, Claim::Pair { by: about, .. } if *about != by);
        assert!(!claims.iter().any(others), "{claims:?}");
    }
}

#[test]
fn a_wrong_set_is_found() {
    assert!(honest(&example_4_8()).invalid.is_empty());
    let found: Vec<_> = (0..20).flat_map(|seed| lied_to(&system(seed), Lie::Sets).invalid).collect();
    assert!(found.iter().any(|i| matches!(i.claim, Claim::Set { .. }) && i.flaw == Flaw::Enabledness));
    assert!(found.iter().any(|i| matches!(i.claim, Claim::Set { .. }) && i.flaw == Flaw::Elsewhere));
    assert!(found.iter().all(|i| matches!(i.claim, Claim::Set { .. })), "{found:?}");
    assert!(honest(&example_6_1()).invalid.is_empty());
}
