//! Drops what a program declares and does not use.

use super::{Program, Stmt};

impl Stmt {
    /// The objects that this statement accesses, without those of its bodies.
    fn objects_mut(&mut self) -> Vec<&mut usize> {
        match self {
            Stmt::Load { place, .. }
            | Stmt::Store { place, .. }
            | Stmt::Update { place, .. }
            | Stmt::Rmw { place, .. }
            | Stmt::Cas { place, .. }
            | Stmt::Look { place, .. }
            | Stmt::Await { place, .. }
            | Stmt::Condition { place, .. }
            | Stmt::Repeat { unless: Some((place, _)), .. } => vec![&mut place.object],
            Stmt::Copy { to, from, .. } => vec![&mut to.object, &mut from.object],
            Stmt::Move { to, from, .. } => vec![to, from],
            Stmt::Fill { to, .. } => vec![to],
            Stmt::Fork { places, .. } => places.iter_mut().map(|place| &mut place.object).collect(),
            _ => Vec::new(),
        }
    }

    fn lock_mut(&mut self) -> Option<&mut usize> {
        match self {
            Stmt::Locked { lock, .. } | Stmt::Try { lock, .. } | Stmt::Condition { lock, .. } => Some(lock),
            Stmt::Fork { lock, .. } => lock.as_mut(),
            _ => None,
        }
    }
}

fn visit_mut(body: &mut [Stmt], look: &mut impl FnMut(&mut Stmt)) {
    for statement in body {
        look(statement);
        statement.bodies_mut().into_iter().for_each(|inner| visit_mut(inner, look));
    }
}

/// Numbers what is used anew: the new number of each, and the items that remain.
fn renumber<T: Copy>(items: &[T], used: &[bool]) -> (Vec<usize>, Vec<T>) {
    let numbers = used.iter().scan(0, |next, used| {
        let number = *next;
        *next += usize::from(*used);
        Some(number)
    });
    let kept = items.iter().zip(used).filter(|(_, used)| **used).map(|(item, _)| *item);
    (numbers.collect(), kept.collect())
}

impl Program {
    /// The same program without what it does not use.
    pub fn pruned(mut self) -> Program {
        let mut objects = vec![false; self.objects.len()];
        let mut locks = vec![false; self.locks.len()];
        let [mut semaphores, mut conditions, mut barriers, mut cells] = [false; 4];
        self.each_mut(&mut |statement| {
            statement.objects_mut().into_iter().for_each(|object| objects[*object] = true);
            statement.lock_mut().into_iter().for_each(|lock| locks[*lock] = true);
            semaphores |=
                matches!(statement, Stmt::Post(_) | Stmt::Wait(_) | Stmt::TryWait(..) | Stmt::Count(..));
            conditions |= matches!(statement, Stmt::Condition { .. } | Stmt::Notify { .. });
            barriers |= matches!(statement, Stmt::Barrier(_));
            cells |= matches!(statement, Stmt::Put { .. } | Stmt::Take { .. } | Stmt::Peek { .. });
        });
        let (object_numbers, kept_objects) = renumber(&self.objects, &objects);
        let (lock_numbers, kept_locks) = renumber(&self.locks, &locks);
        self.each_mut(&mut |statement| {
            statement.objects_mut().into_iter().for_each(|object| *object = object_numbers[*object]);
            statement.lock_mut().into_iter().for_each(|lock| *lock = lock_numbers[*lock]);
        });
        self.objects = kept_objects;
        self.locks = kept_locks;
        if !semaphores {
            self.semaphores.clear();
        }
        if !barriers {
            self.barriers.clear();
        }
        self.conditions *= usize::from(conditions);
        self.cells *= usize::from(cells);
        self
    }

    fn each_mut(&mut self, look: &mut impl FnMut(&mut Stmt)) {
        self.threads.iter_mut().for_each(|body| visit_mut(body, look));
    }
}
