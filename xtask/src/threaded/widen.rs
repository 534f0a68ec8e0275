//! What some programs get besides, from a stream of its own, so that the others stay what they are:
//! forks, exits amid other threads, and objects that are initialised and destroyed on the way.

use super::{LockKind, Part, Place, Private, Program, Shape, Stmt, Value};
use crate::generate::rng::Rng;

/// The program of a seed, with more.
pub fn widen(mut program: Program, seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x7769_6465_6e65_6421);
    for (chance, make) in [(25, fork as Maker), (10, exit), (15, private)] {
        if rng.chance(chance)
            && let Some(statement) = make(&mut rng, &program)
        {
            let thread = rng.below(program.threads.len());
            put(&mut rng, &mut program.threads[thread], statement);
        }
    }
    program
}

type Maker = fn(&mut Rng, &Program) -> Option<Stmt>;

/// Anywhere in the body, or in one inside.
fn put(rng: &mut Rng, body: &mut Vec<Stmt>, statement: Stmt) {
    let at = rng.below(body.len() + 1);
    let inner = body.get_mut(at).map(Stmt::bodies_mut).unwrap_or_default();
    match inner.into_iter().find(|inner| !inner.is_empty()) {
        Some(inner) if rng.chance(50) => put(rng, inner, statement),
        _ => body.insert(at, statement),
    }
}

fn place(rng: &mut Rng, program: &Program) -> Option<Place> {
    let object = rng.below(program.objects.len());
    let part = match program.objects.get(object)?.shape {
        Shape::Array(_, length) => Part::Element(super::Index::Constant(rng.below(length.into()) as u8)),
        Shape::Record | Shape::Bits => Part::Field(rng.below(2) as u8),
        Shape::Scalar(_) | Shape::Atomic(_) | Shape::Union => Part::Whole,
    };
    Some(Place { object, part })
}

/// Whose recursive lock it is in the child, the standards do not say.
fn fork(rng: &mut Rng, program: &Program) -> Option<Stmt> {
    let places = [place(rng, program)?, place(rng, program)?];
    let lock = rng.below(program.locks.len().max(1));
    let looks = program.locks.get(lock).is_some_and(|kind| *kind != LockKind::Recursive) && rng.chance(50);
    Some(Stmt::Fork { into: rng.below(2), places, lock: looks.then_some(lock) })
}

/// Always `_exit`: of two threads that call `exit`, C does not say what becomes.
fn exit(_: &mut Rng, _: &Program) -> Option<Stmt> {
    Some(Stmt::Exit { at_once: true })
}

fn private(rng: &mut Rng, _: &Program) -> Option<Stmt> {
    let what = *rng.pick(&[Private::Mutex, Private::Semaphore, Private::ReadWrite])?;
    Some(Stmt::Private { what, into: rng.below(2), value: Value::Constant(1 + rng.below(3) as u64) })
}
