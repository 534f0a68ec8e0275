//! Questions about terms and operations that the simplifications share.

use logic::{Binary, Term};
use system::walk::{reads_of_operation, reads_of_term};
use system::{Access, Expr, Initial, Operation, Place, ProcessTypeId, Read, Root, System, Variable};

/// A variable, by its owner: a process type, or the system.
/// The variables a term reads.
pub fn variables_read(process_type: ProcessTypeId, term: &Expr, visit: &mut impl FnMut(Variable)) {
    reads_of_term(term, &mut |read| {
        if let Read::Place(place) = read {
            visit(place.variable(process_type));
        }
    });
}

/// The variables an operation reads, indices of places it writes included.
pub fn variables_used(process_type: ProcessTypeId, operation: &Operation, visit: &mut impl FnMut(Variable)) {
    reads_of_operation(operation, &mut |read| {
        if let Read::Place(place) = read {
            visit(place.variable(process_type));
        }
    });
}

/// Whether evaluating the term may end in a fault.
pub fn may_fail(term: &Expr) -> bool {
    match term {
        Term::Constant(_) => false,
        Term::Unary(_, a) | Term::Wrap(_, a) => may_fail(a),
        Term::Binary(op, a, b) => {
            let total = match op {
                Binary::Divide | Binary::Remainder => matches!(**b, Term::Constant(c) if c != 0),
                Binary::ShiftLeft | Binary::ShiftRight => is_small(b),
                _ => true,
            };
            !total || may_fail(a) || may_fail(b)
        }
        Term::Conditional(parts) => parts.iter().any(may_fail),
        Term::Atom(Read::Place(place)) => path_may_fail(place),
        Term::Atom(Read::Handle(_) | Read::Myself | Read::Instance(_) | Read::ProcessCount) => false,
        Term::Atom(Read::Last | Read::Timeout | Read::NonProgress | Read::Accepting) => false,
        Term::Atom(_) => true,
    }
}

/// Whether a shift by so much has a value: a small constant, or masked by one.
fn is_small(amount: &Expr) -> bool {
    match amount {
        Term::Constant(c) => (0..64).contains(c),
        Term::Binary(Binary::BitAnd, _, mask) => is_small(mask),
        _ => false,
    }
}

/// Whether evaluating an initial value may end in a fault.
pub fn initial_may_fail(initial: &Initial) -> bool {
    match initial {
        Initial::Term(term) => may_fail(term),
        Initial::Each(one) => initial_may_fail(one),
        Initial::Parts(parts) => parts.iter().any(initial_may_fail),
        Initial::Zero | Initial::Argument(_) => false,
    }
}

/// Whether finding the place may end in a fault.
pub fn path_may_fail(place: &Place) -> bool {
    matches!(place.root, Root::Remote { .. }) || place.path.iter().any(|a| matches!(a, Access::Index(_)))
}

/// Local variables of process types that other processes read.
pub fn read_remotely(system: &System) -> Vec<Variable> {
    let mut found = Vec::new();
    system::walk::reads_of_system(system, &mut |read| {
        if let Read::Place(Place { root: Root::Remote { process_type, object, .. }, .. }) = read {
            found.push((Some(*process_type), *object));
        }
    });
    found
}
