//! Greedy shrinking of C programs, as [`crate::shrink`] does it for Promela: cuts are numbered,
//! those under which the contradiction persists are kept.

use super::{LockKind, Mode, Program, Shape, Stmt, Storage, Value};

/// The smallest program reached from `program` for which `persists` holds; at most `patience`
/// questions are asked.
pub fn shrink(program: &Program, patience: usize, persists: impl FnMut(&Program) -> bool) -> Program {
    crate::shrink::greedy(program, patience, cut, persists)
}

/// The program after cut `number`; none if there are fewer.
fn cut(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let cut = Knife { left: number }.program(&mut smaller);
    cut.then(|| smaller.pruned())
}

struct Knife {
    left: usize,
}

impl Knife {
    fn here(&mut self) -> bool {
        let now = self.left == 0;
        self.left = self.left.wrapping_sub(1);
        now
    }

    fn program(&mut self, program: &mut Program) -> bool {
        self.thread(program)
            || program.threads.iter_mut().any(|body| self.sequence(body))
            || program.objects.iter_mut().any(|object| {
                let simpler = object.storage != Storage::Global && self.here();
                if simpler {
                    object.storage = Storage::Global;
                }
                simpler || self.shape(&mut object.shape)
            })
            || program.locks.iter_mut().any(|kind| {
                let cut = matches!(kind, LockKind::Recursive | LockKind::ErrorCheck) && self.here();
                if cut {
                    *kind = LockKind::Mutex;
                }
                cut
            })
    }

    fn shape(&mut self, shape: &mut Shape) -> bool {
        let cut = matches!(shape, Shape::Scalar(1 | 2)) && self.here();
        if cut {
            *shape = Shape::Scalar(4);
        }
        cut
    }

    /// Removes a thread with its creation and its join; those it created are removed with it.
    fn thread(&mut self, program: &mut Program) -> bool {
        for thread in (1..program.threads.len()).rev() {
            let creates = program.threads[thread].iter().any(|s| matches!(s, Stmt::Spawn(_)));
            if !creates && self.here() {
                program.threads.remove(thread);
                for body in &mut program.threads {
                    body.retain(|s| !matches!(s, Stmt::Spawn(t) | Stmt::Join(t) if *t == thread));
                    for statement in body {
                        if let Stmt::Spawn(other) | Stmt::Join(other) = statement
                            && *other > thread
                        {
                            *other -= 1;
                        }
                    }
                }
                return true;
            }
        }
        false
    }

    fn sequence(&mut self, body: &mut Vec<Stmt>) -> bool {
        for at in 0..body.len() {
            let fixed = matches!(body[at], Stmt::Spawn(_) | Stmt::Join(_));
            if !fixed && self.here() {
                body.remove(at);
                return true;
            }
            let parts: Vec<Vec<Stmt>> = body[at].bodies().into_iter().cloned().collect();
            for part in parts {
                if self.here() {
                    body.splice(at..=at, part);
                    return true;
                }
            }
            if self.statement(&mut body[at]) {
                return true;
            }
        }
        false
    }

    fn statement(&mut self, statement: &mut Stmt) -> bool {
        if statement.bodies_mut().into_iter().any(|body| self.sequence(body)) {
            return true;
        }
        match statement {
            Stmt::Store { mode, value, .. } => self.mode(mode) || self.value(value),
            Stmt::Load { mode, mix, .. } => {
                let cut = *mix && self.here();
                *mix &= !cut;
                cut || self.mode(mode)
            }
            Stmt::Look { mode, .. } | Stmt::Copy { mode, .. } => self.mode(mode),
            Stmt::Update { mode, value, .. } => self.mode(mode) || self.value(value),
            Stmt::Local(_, value) | Stmt::Rmw { value, .. } => self.value(value),
            Stmt::Repeat { times, unless, .. } => {
                if *times > 2 && self.here() {
                    *times = 2;
                    return true;
                }
                let cut = unless.is_some() && self.here();
                if cut {
                    *unless = None;
                }
                cut
            }
            _ => false,
        }
    }

    fn mode(&mut self, mode: &mut Mode) -> bool {
        let cut = *mode == Mode::Volatile && self.here();
        if cut {
            *mode = Mode::Plain;
        }
        cut
    }

    fn value(&mut self, value: &mut Value) -> bool {
        let cut = *value != Value::Constant(1) && self.here();
        if cut {
            *value = Value::Constant(1);
        }
        cut
    }
}
