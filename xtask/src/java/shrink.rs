//! Smaller programs that still show the same contradiction: statements are dropped, or replaced by
//! what is inside of them.

use super::ast::{Kind, Program, Stmt};
use super::prune::prune;
use super::walk::blocks_mut;

/// Tries at most `patience` smaller programs.
pub fn shrink(program: &Program, patience: usize, still: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut left = patience;
    loop {
        let mut smaller = false;
        let mut number = 0;
        while let Some(candidate) = change(&best, number) {
            if left == 0 {
                return best;
            }
            left -= 1;
            if still(&candidate) {
                (best, smaller) = (candidate, true);
            } else {
                number += 1;
            }
        }
        if !smaller {
            return best;
        }
    }
}

/// The change of this number; none if there are fewer.
fn change(program: &Program, mut number: usize) -> Option<Program> {
    let mut copy = program.clone();
    for class in &mut copy.classes {
        for method in class.methods.iter_mut().filter(|m| !m.hidden) {
            if in_block(&mut method.body, &mut number) {
                prune(&mut copy);
                return Some(copy);
            }
        }
        for field in class.fields.iter_mut().filter(|f| !f.hidden && !f.constant && f.init.is_some()) {
            if number == 0 {
                field.init = None;
                prune(&mut copy);
                return Some(copy);
            }
            number -= 1;
        }
    }
    None
}

/// True if the change was made here.
fn in_block(body: &mut Vec<Stmt>, number: &mut usize) -> bool {
    for at in 0..body.len() {
        if *number == 0 {
            body.remove(at);
            return true;
        }
        *number -= 1;
        if let Some(inside) = unwrapped(&body[at].kind) {
            if *number == 0 {
                body.splice(at..=at, inside);
                return true;
            }
            *number -= 1;
        }
        if in_parts(&mut body[at].kind, number) {
            return true;
        }
        if blocks_mut(&mut body[at].kind).into_iter().any(|block| in_block(block, number)) {
            return true;
        }
    }
    false
}

/// What is inside of a statement with blocks.
fn unwrapped(kind: &Kind) -> Option<Vec<Stmt>> {
    match kind {
        Kind::If(_, yes, _) => Some(yes.clone()),
        Kind::While(_, body) | Kind::For(_, _, body) | Kind::Sync(_, body) => Some(body.clone()),
        Kind::Try(body, ..) => Some(body.clone()),
        _ => None,
    }
}

/// Drops an `else`, a `catch` or a `finally`.
fn in_parts(kind: &mut Kind, number: &mut usize) -> bool {
    match kind {
        Kind::If(_, _, no) if !no.is_empty() => {
            if *number == 0 {
                no.clear();
                return true;
            }
            *number -= 1;
        }
        Kind::Try(_, catches, last) if catches.len() + usize::from(last.is_some()) > 1 => {
            if *number < catches.len() {
                catches.remove(*number);
                return true;
            }
            *number -= catches.len();
            if last.is_some() {
                if *number == 0 {
                    *last = None;
                    return true;
                }
                *number -= 1;
            }
        }
        _ => {}
    }
    false
}
