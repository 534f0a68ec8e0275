//! How a constraint is looked for: in which order its variables get their nodes, and what is known
//! of each as soon as it has one.
//!
//! A body `exists x. φ` fires where φ does for some x, so x is taken for one more variable of the
//! constraint. Then a body is a conjunction, and it is 1 where all its parts are. Each part is
//! looked at as soon as its last variable gets a node, for all nodes at once; most constraints find
//! after one or two variables that they have nothing to say.

use structures::constraint::Constraint;
use structures::evaluate::{Assignment, Evaluator};
use structures::formula::{Formula, Var};

/// How many variables a constraint may have to begin with and take over from its body.
const MANY: Var = 8;

#[derive(Clone, Debug)]
pub struct Plan {
    /// The body, if there are no variables.
    pub closed: Option<Formula>,
    pub stages: Vec<Stage>,
    pub head: Formula,
}

/// A variable, and the parts of the body of which it is the last.
#[derive(Clone, Debug)]
pub struct Stage {
    pub variable: Var,
    parts: Vec<Formula>,
}

impl Plan {
    pub fn new(c: &Constraint) -> Plan {
        let (mut variables, mut parts) = (c.variables, Vec::new());
        let mut open: Vec<Formula> = c.body.conjuncts().to_vec();
        while let Some(part) = open.pop() {
            match part {
                Formula::Exists(v, bound) if variables < MANY => {
                    let (new, next) = (variables, bound.body.above().max(c.head.above()).max(MANY));
                    variables += 1;
                    let inner = bound.body.rename(&|old| if old == v { new } else { old }, next);
                    open.extend(inner.conjuncts().iter().cloned());
                }
                part => parts.push(part),
            }
        }
        let mut stages: Vec<Stage> = Vec::new();
        let mut bound = 0_u64;
        let mut rest: Vec<Var> = (0..variables).collect();
        while !rest.is_empty() {
            // The variable that settles most parts is next.
            let settled = |v: Var| parts.iter().filter(|f| f.free() & !(bound | 1 << v) == 0).count();
            let most = rest.iter().map(|v| settled(*v)).max().unwrap_or(0);
            let at = rest.iter().position(|v| settled(*v) == most).unwrap_or(0);
            let variable = rest.remove(at);
            bound |= 1 << variable;
            let (here, later) = parts.into_iter().partition(|f: &Formula| f.free() & !bound == 0);
            parts = later;
            stages.push(Stage { variable, parts: here });
        }
        Plan { closed: stages.is_empty().then(|| c.body.clone()), stages, head: c.head.clone() }
    }
}

impl Stage {
    /// The nodes for which all parts are 1.
    pub fn fits(&self, evaluator: &Evaluator<'_>, nodes: &mut Assignment) -> u64 {
        let mut fits = evaluator.structure.all();
        for part in &self.parts {
            if fits == 0 {
                break;
            }
            fits &= evaluator.lanes(part, nodes, self.variable).must;
        }
        fits
    }
}
