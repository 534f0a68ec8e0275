//! Diagrams, held against the system and the property: every condition is made again from the nodes
//! and edges, by code of this crate.
//!
//! What is taken over is what the diagram says, and for generalized diagrams the reasons why no
//! fair run stays in a part; whether these are enough is decided on the graph (`paths`). For
//! wait-for diagrams a path goes to lower intervals only; in chains along edges without a cycle;
//! in rank diagrams to lower ranks. A fair run that stays in a node takes the helpful transition at
//! last.

use super::claim::Claim;
use super::paths::{self, Paths};
use super::relation::Way;
use super::response::Leads;
use super::{Case, Certifier, Refused};
use logic::automata::translate;
use logic::fol::{Binder, Op, Quantifier, Symbol, Term};
use logic::ltl::Formula;
use system::fts::diagram::{Acceptance, Diagram, Edge, Kind, Proven, Rank, Reason};
use system::fts::{Evidence, Fairness, Helped, Helpful};

/// More assertions than this in a property make too many letters.
const ATOMS: usize = 10;

const FORM: Refused = Refused::Form("the diagram does not fit the property");

impl Certifier<'_> {
    /// A property by a diagram.
    pub(super) fn drawn(
        &self,
        case: &Case<'_>,
        formula: &Formula<Term>,
        claim: Option<&Claim>,
        proven: &Proven,
    ) -> Result<(), Refused> {
        let d = &proven.diagram;
        self.has_form(case, d)?;
        let begins = || Term::all(case.system.initially().into_iter().chain([case.given.clone()]));
        match (d.kind, claim) {
            (Kind::Invariance, Some(Claim::Always(q))) => {
                self.covered(d, &begins())?;
                for n in 0..d.nodes.len() {
                    self.ask("goal", &self.here(case, d, n), q)?;
                    self.consecution(case, d, n)?;
                }
                Ok(())
            }
            (Kind::WaitFor, Some(Claim::Waiting(p, q))) => {
                self.covered(d, &Term::all([case.given.clone(), p.clone()]))?;
                self.intervals(case, proven, q)
            }
            (Kind::Chain | Kind::Rank, Some(Claim::Leads(p, q))) => {
                self.covered(d, &Term::all([case.given.clone(), p.clone()]))?;
                self.stages(case, proven, q)
            }
            (Kind::Chain | Kind::Rank, Some(Claim::Comes(q))) => {
                self.covered(d, &begins())?;
                self.stages(case, proven, q)
            }
            (Kind::Generalized, _) => self.generalized(case, formula, proven, &begins()),
            _ => Err(FORM),
        }
    }

    /// Numbers that are numbers of nodes and edges, assertions about state and rigid values.
    fn has_form(&self, case: &Case<'_>, d: &Diagram) -> Result<(), Refused> {
        let node = |n: &usize| *n < d.nodes.len();
        let edge = |e: &usize| *e < d.edges.len();
        let accepted = match &d.acceptance {
            Acceptance::Muller { exactly, containing } => {
                exactly.iter().chain(containing).flatten().all(node)
            }
            Acceptance::Streett(pairs) => pairs.iter().all(|(p, r)| p.iter().chain(r).all(edge)),
        };
        let drawn = d.edges.iter().all(|e| node(&e.from) && node(&e.to));
        if d.nodes.is_empty() || !(accepted && drawn && d.initial.iter().all(node)) {
            return Err(Refused::Form("the diagram names nodes that do not exist"));
        }
        for n in &d.nodes {
            self.speak(case, std::slice::from_ref(&n.assertion))?;
            self.speak(case, &n.rank.iter().map(|r| r.term().clone()).collect::<Vec<_>>())?;
            self.speak(case, n.label.as_slice())?;
            if !n.rank.iter().all(Rank::is_well_founded) {
                return Err(Refused::Form("a rank is from no well-founded domain"));
            }
        }
        d.edges.iter().flat_map(|e| &e.by).try_for_each(|h| self.speak(case, &h.parameters))
    }

    fn here(&self, case: &Case<'_>, d: &Diagram, n: usize) -> [Term; 2] {
        [case.given.clone(), d.nodes[n].assertion.clone()]
    }

    fn covered(&self, d: &Diagram, from: &Term) -> Result<(), Refused> {
        let somewhere = Term::any(d.nodes.iter().map(|n| n.assertion.clone()));
        self.ask("cover", std::slice::from_ref(from), &somewhere)
    }

    /// Every step from a node leads along an edge that its transition may take; without an edge to
    /// itself where these are implicit.
    fn consecution(&self, case: &Case<'_>, d: &Diagram, n: usize) -> Result<(), Refused> {
        let itself = (d.kind != Kind::Generalized).then_some(n);
        for way in case.system.ways() {
            let onward = d.edges.iter().filter(|e| e.from == n && takes(e, &way.name)).map(|e| e.to);
            let target =
                Term::any(onward.chain(itself).map(|m| d.nodes[m].assertion.clone()).collect::<Vec<_>>());
            self.leads(&way, &self.here(case, d, n), &target)?;
        }
        Ok(())
    }

    fn intervals(&self, case: &Case<'_>, proven: &Proven, q: &[Term]) -> Result<(), Refused> {
        let (d, of) = (&proven.diagram, &proven.intervals);
        let falls = |e: &Edge| of[e.to] <= of[e.from];
        if of.len() != d.nodes.len() || of.iter().any(|i| *i >= q.len()) || !d.edges.iter().all(falls) {
            return Err(Refused::Form("an edge leads to an earlier interval"));
        }
        for (n, node) in d.nodes.iter().enumerate() {
            self.ask("goal", &self.here(case, d, n), &q[q.len() - 1 - of[n]])?;
            match (node.terminal, of[n]) {
                (true, 0) => {}
                (true, _) => return Err(Refused::Form("a terminal node is not the goal")),
                (false, _) => self.consecution(case, d, n)?,
            }
        }
        Ok(())
    }

    /// Chain and rank diagrams.
    fn stages(&self, case: &Case<'_>, proven: &Proven, q: &Term) -> Result<(), Refused> {
        let d = &proven.diagram;
        if d.kind == Kind::Chain && has_circle(d) {
            return Err(Refused::Form("the edges of a chain form a cycle"));
        }
        for (n, node) in d.nodes.iter().enumerate() {
            if node.terminal {
                self.ask("goal", &self.here(case, d, n), q)?;
                continue;
            }
            if d.kind == Kind::Rank {
                let fits = |m: &system::fts::diagram::Node| {
                    m.terminal && m.rank.is_empty() || alike(&m.rank, &node.rank)
                };
                if node.rank.is_empty() || !d.nodes.iter().all(fits) {
                    return Err(Refused::Form("every node needs a rank, all of one kind"));
                }
                self.ask("domain", &self.here(case, d, n), &bounded(&node.rank))?;
            }
            self.node_helped(case, proven, n)?;
        }
        Ok(())
    }

    fn node_helped(&self, case: &Case<'_>, proven: &Proven, n: usize) -> Result<(), Refused> {
        let d = &proven.diagram;
        let mut labels: Vec<&Helpful> = Vec::new();
        for by in d.edges.iter().filter(|e| e.from == n).flat_map(|e| &e.by) {
            if !labels.contains(&by) {
                labels.push(by);
            }
        }
        let mut first: Option<Vec<Term>> = None;
        for helpful in labels {
            let phi = Term::all(self.here(case, d, n));
            let helped = Helped { phi, helpful: helpful.clone(), rank: Vec::new(), again: None };
            let stage = self.stage(case, &helped)?;
            // All that help in one node do so in the same states.
            if first.get_or_insert_with(|| stage.phi.clone()) != &stage.phi {
                return Err(Refused::Form("two transitions that depend on the state help in one node"));
            }
            for way in case.system.ways() {
                self.leads_to(&way, &stage.phi, self.onward((d, n), &way, &stage.phi, None))?;
            }
            for way in case.system.of(stage.transition, Some(&stage.parameters)) {
                self.leads_to(&way, &stage.phi, self.onward((d, n), &way, &stage.phi, Some(helpful)))?;
            }
            let enabled = case.system.enabled(stage.transition, &stage.parameters);
            let again = proven.again.iter().find(|(m, h, _)| *m == n && h == helpful).map(|(.., e)| e);
            match (stage.transition.fairness, again) {
                (Fairness::None, _) => return Err(Refused::Form("the helpful transition is not fair")),
                (Fairness::Strong, Some(evidence)) => {
                    let [phi] = &stage.phi[..] else {
                        return Err(Refused::Form("the compassionate transition depends on the state"));
                    };
                    let goal = Term::any([Term::negation(phi.clone()), enabled]);
                    match evidence {
                        Evidence::Progress(stages) => self.progress(case, phi, &goal, stages)?,
                        Evidence::Ranked(stages) => {
                            self.ranked(case, &Leads { from: phi, goal: &goal, again: &[] }, stages)?
                        }
                        _ => return Err(FORM),
                    }
                }
                _ => self.ask("enabled", &stage.phi, &enabled)?,
            }
        }
        first.map(|_| ()).ok_or(Refused::Form("no transition helps in a node"))
    }

    /// Where a step may lead: to the same node and rank, or along an edge; one that helps along its
    /// own edges only.
    fn onward(&self, (d, n): (&Diagram, usize), way: &Way, phi: &[Term], helps: Option<&Helpful>) -> Term {
        let ranked = d.kind == Kind::Rank;
        let rank = &d.nodes[n].rank;
        let after = |rank: &[Rank]| -> Vec<Rank> { rank.iter().map(|r| r.map(|e| way.after(e))).collect() };
        let edges = d.edges.iter().filter(|e| e.from == n && helps.is_none_or(|h| e.by.contains(h)));
        let mut all: Vec<Term> = edges
            .filter(|e| ranked || e.to != n)
            .map(|e| {
                let to = &d.nodes[e.to];
                let falls = ranked && !(to.terminal && to.rank.is_empty());
                let down = if falls { falling(rank, &after(&to.rank)) } else { Term::truth(true) };
                Term::all([way.after(&to.assertion), down])
            })
            .collect();
        if helps.is_none() {
            let same = if ranked { unchanged(rank, &after(rank)) } else { Term::truth(true) };
            all.push(Term::all(phi.iter().map(|e| way.after(e)).chain([same])));
        }
        Term::any(all)
    }

    /// A step leads to something that is said of both states already.
    fn leads_to(&self, way: &Way, before: &[Term], goal: Term) -> Result<(), Refused> {
        let given: Vec<Term> = before.iter().chain(&way.taken).cloned().collect();
        self.ask(&way.name, &given, &goal)
    }

    fn generalized(
        &self,
        case: &Case<'_>,
        formula: &Formula<Term>,
        proven: &Proven,
        begins: &Term,
    ) -> Result<(), Refused> {
        let d = &proven.diagram;
        let paths = Paths::of(d);
        let first = Term::any(paths.initial.iter().map(|n| d.nodes[*n].assertion.clone()));
        self.ask("initiality", std::slice::from_ref(begins), &first)?;
        for (n, node) in d.nodes.iter().enumerate() {
            self.consecution(case, d, n)?;
            if let Some(label) = &node.label {
                self.ask("proposition", &self.here(case, d, n), label)?;
            }
        }
        proven.reasons.iter().try_for_each(|reason| self.reason(case, d, reason))?;
        paths::excluded(&paths, &proven.reasons)?;
        let (numbered, atoms) = formula.clone().numbered();
        if atoms.len() > ATOMS {
            return Err(Refused::Form("the property has too many assertions"));
        }
        let negated = translate(&Formula::negation(numbered));
        let negated = negated.map_err(|_| Refused::Form("the automaton of the property is too large"))?;
        let letters: Vec<Vec<u64>> = (0..d.nodes.len()).map(|n| self.letters(case, d, n, &atoms)).collect();
        paths::disjoint(&paths, &letters, &negated)
    }

    /// Why no fair run stays in a part of the diagram.
    fn reason(&self, case: &Case<'_>, d: &Diagram, reason: &Reason) -> Result<(), Refused> {
        let nowhere = Refused::Form("a reason names something that does not exist");
        match reason {
            Reason::Just(nodes, helpful) => self.exit(case, (d, nodes), (nodes, helpful), Fairness::Weak),
            Reason::Compassionate { nodes, enabled, helpful } => {
                if !enabled.iter().all(|n| nodes.contains(n)) {
                    return Err(nowhere);
                }
                self.exit(case, (d, nodes), (enabled, helpful), Fairness::Strong)
            }
            Reason::WellFounded(edges, cut) => {
                if edges.iter().chain(cut).any(|e| *e >= d.edges.len())
                    || cut.iter().any(|e| !edges.contains(e))
                {
                    return Err(nowhere);
                }
                edges.iter().try_for_each(|e| self.descends(case, d, &d.edges[*e], cut.contains(e)))
            }
        }
    }

    /// A fair transition leads out of nodes, and is enabled in some.
    fn exit(
        &self,
        case: &Case<'_>,
        (d, nodes): (&Diagram, &[usize]),
        (enabled, helpful): (&[usize], &Helpful),
        wanted: Fairness,
    ) -> Result<(), Refused> {
        if nodes.iter().any(|n| *n >= d.nodes.len()) {
            return Err(Refused::Form("a reason names something that does not exist"));
        }
        for n in nodes {
            let phi = Term::all(self.here(case, d, *n));
            let helped = Helped { phi, helpful: helpful.clone(), rank: Vec::new(), again: None };
            let stage = self.stage(case, &helped)?;
            let fair = match wanted {
                Fairness::Weak => stage.transition.fairness != Fairness::None,
                _ => stage.transition.fairness == Fairness::Strong,
            };
            if !fair || stage.phi.len() != 1 {
                return Err(Refused::Form("an exit is not fair, or depends on the state"));
            }
            let outside =
                d.edges.iter().filter(|e| e.from == *n && takes(e, &helpful.name) && !nodes.contains(&e.to));
            let target = Term::any(outside.map(|e| d.nodes[e.to].assertion.clone()).collect::<Vec<_>>());
            for way in case.system.of(stage.transition, Some(&stage.parameters)) {
                self.leads(&way, &stage.phi, &target)?;
            }
            if enabled.contains(n) {
                self.ask("enabled", &stage.phi, &case.system.enabled(stage.transition, &stage.parameters))?;
            }
        }
        Ok(())
    }

    /// No step along an edge increases the rank, or each decreases it.
    fn descends(&self, case: &Case<'_>, d: &Diagram, e: &Edge, strictly: bool) -> Result<(), Refused> {
        let (from, to) = (&d.nodes[e.from], &d.nodes[e.to]);
        if from.rank.is_empty() || !alike(&from.rank, &to.rank) {
            return Err(Refused::Form("ranks cannot be compared"));
        }
        self.ask("domain", &self.here(case, d, e.from), &bounded(&from.rank))?;
        for way in case.system.ways().iter().filter(|way| takes(e, &way.name)) {
            let after: Vec<Rank> = to.rank.iter().map(|r| r.map(|e| way.after(e))).collect();
            let mut falls = vec![falling(&from.rank, &after)];
            if !strictly {
                falls.push(unchanged(&from.rank, &after));
            }
            let before = [self.here(case, d, e.from).to_vec(), vec![way.after(&to.assertion)]].concat();
            self.leads_to(way, &before, Term::any(falls))?;
        }
        Ok(())
    }

    /// The letters that a node may stand for.
    fn letters(&self, case: &Case<'_>, d: &Diagram, n: usize, atoms: &[Term]) -> Vec<u64> {
        let said = d.nodes[n].label.as_ref().unwrap_or(&d.nodes[n].assertion);
        let mut found = vec![(0u64, vec![case.given.clone(), said.clone()])];
        for (at, atom) in atoms.iter().enumerate() {
            let both = found.into_iter().flat_map(|(letter, given)| {
                let with = |truth: Term| [given.clone(), vec![truth]].concat();
                [(letter | 1 << at, with(atom.clone())), (letter, with(Term::negation(atom.clone())))]
            });
            found =
                both.filter(|(_, given)| self.ask("letter", given, &Term::truth(false)).is_err()).collect();
        }
        found.into_iter().map(|(letter, _)| letter).collect()
    }
}

/// Whether a transition may take an edge. The labels of chains say which transitions help, no more.
fn takes(edge: &Edge, transition: &str) -> bool {
    edge.by.is_empty() || edge.by.iter().any(|h| h.name == transition)
}

/// Whether edges between different nodes lead back: what is left when nodes without a successor are
/// taken away, one after the other.
fn has_circle(d: &Diagram) -> bool {
    let mut left: Vec<usize> = (0..d.nodes.len()).collect();
    loop {
        let onward = |n: &usize| d.edges.iter().any(|e| e.from == *n && e.to != *n && left.contains(&e.to));
        let kept: Vec<usize> = left.iter().filter(|n| onward(n)).copied().collect();
        if kept.len() == left.len() {
            return !left.is_empty() || d.edges.iter().any(|e| e.from == e.to && !e.by.is_empty());
        }
        left = kept;
    }
}

/// Whether ranks are of one length, numbers beside numbers and sets beside sets.
fn alike(a: &[Rank], b: &[Rank]) -> bool {
    let fits = |(a, b): (&Rank, &Rank)| match (a, b) {
        (Rank::Number(_), Rank::Number(_)) => true,
        (Rank::Set(a), Rank::Set(b)) => match (membership(a), membership(b)) {
            (Some((x, _)), Some((y, _))) => x.iter().map(|s| &s.sort).eq(y.iter().map(|s| &s.sort)),
            _ => false,
        },
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(fits)
}

fn bounded(rank: &[Rank]) -> Term {
    let number = |r: &Rank| match r {
        Rank::Number(e) => Term::le(Term::int(0), e.clone()),
        Rank::Set(_) => Term::truth(true),
    };
    Term::all(rank.iter().map(number).collect::<Vec<_>>())
}

/// The old rank is higher than the new one: the first part in which they differ is.
fn falling(old: &[Rank], new: &[Rank]) -> Term {
    let at = |n: usize| {
        let part = match (&old[n], &new[n]) {
            (Rank::Number(old), Rank::Number(new)) => Term::lt(new.clone(), old.clone()),
            (Rank::Set(old), Rank::Set(new)) => {
                Term::all([included(new, old), Term::negation(included(old, new))])
            }
            _ => Term::truth(false),
        };
        Term::all([unchanged(&old[..n], &new[..n]), part])
    };
    Term::any((0..old.len().min(new.len())).map(at).collect::<Vec<_>>())
}

fn unchanged(old: &[Rank], new: &[Rank]) -> Term {
    let same = |(old, new): (&Rank, &Rank)| match (old, new) {
        (Rank::Number(old), Rank::Number(new)) => Term::eq(old.clone(), new.clone()),
        (Rank::Set(old), Rank::Set(new)) => Term::all([included(old, new), included(new, old)]),
        _ => Term::truth(false),
    };
    Term::all(old.iter().zip(new).map(same).collect::<Vec<_>>())
}

/// The set `Exists i:[low..high]. p` as its elements and what makes one.
fn membership(set: &Term) -> Option<(Vec<Symbol>, Term)> {
    let (Op::Quantified(Quantifier::Exists, binders), [body]) = (set.op(), set.arguments()) else {
        return None;
    };
    let bounds = binders.iter().map(Binder::bounds);
    let member = Term::all(bounds.chain([body.clone()]).collect::<Vec<_>>());
    Some((binders.iter().map(|b| b.symbol.clone()).collect(), member))
}

/// Every element of a is one of b.
fn included(a: &Term, b: &Term) -> Term {
    let (Some((elements, in_a)), Some((others, in_b))) = (membership(a), membership(b)) else {
        return Term::truth(false);
    };
    // Names that neither formula has.
    let fresh: Vec<Symbol> = elements
        .iter()
        .enumerate()
        .map(|(n, s)| Symbol::constant(format!("element#{n}"), s.sort.clone()))
        .collect();
    let renamed = |e: &Term, old: &[Symbol]| {
        let by = old.iter().zip(&fresh).map(|(old, new)| (old.name.clone(), new.term()));
        super::replace::replace(e, &by.collect())
    };
    let body = Term::implication(renamed(&in_a, &elements), renamed(&in_b, &others));
    Term::every(fresh.iter().cloned().map(Binder::free).collect(), body)
}
