//! A seeded generator of small C programs of threads: a seed gives one program, always the same.
//!
//! Nothing in them is undefined but data races, and blocks that are used after they were freed
//! because of one. Loops end, indices are in bounds, numbers are unsigned, locks are given back by
//! the thread that took them.

use super::clocks::THREADS;
use super::{
    Compare, Function, Hold, Index, LockKind, Mode, Object, Order, Part, Place, Program, Register, Shape,
    Stmt, Storage, Style, Value,
};
use crate::generate::rng::Rng;

/// How a program's accesses look: what is picked once for all of them.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Flavour {
    /// Anything.
    Mixed,
    /// Plain and volatile accesses.
    Racy,
    /// Atomic accesses.
    Atomic,
    /// Plain accesses under locks, semaphores and the like.
    Locked,
}

/// What a program has more of than others.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Theme {
    None,
    Locks,
    Semaphores,
    Conditions,
    Waiting,
    Blocks,
    Memory,
}

const THEMES: [(usize, Theme); 7] = [
    (5, Theme::None),
    (1, Theme::Locks),
    (1, Theme::Semaphores),
    (1, Theme::Conditions),
    (1, Theme::Waiting),
    (1, Theme::Blocks),
    (1, Theme::Memory),
];

/// The program of a seed; `size` statements are its budget.
pub fn program(seed: u64, size: usize) -> Program {
    let mut rng = Rng::new(seed ^ 0x7468_7265_6164);
    let flavours = [(4, Flavour::Mixed), (3, Flavour::Racy), (2, Flavour::Atomic), (3, Flavour::Locked)];
    let flavour = rng.weighted(&flavours).unwrap_or(Flavour::Mixed);
    let theme = rng.weighted(&THEMES);
    let mut generator =
        Generator { rng, flavour, theme, program: Program::default(), budget: size, held: Vec::new() };
    generator.declare();
    generator.threads();
    super::widen::widen(generator.program.pruned(), seed)
}

struct Generator {
    rng: Rng,
    flavour: Flavour,
    theme: Option<Theme>,
    program: Program,
    budget: usize,
    /// Locks that the statement stands under.
    held: Vec<usize>,
}

/// Makes a statement of one kind, if it may stand there.
type Maker = fn(&mut Generator, Site) -> Option<Stmt>;

/// Where a statement stands.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Site {
    depth: usize,
    loops: usize,
}

impl Generator {
    fn declare(&mut self) {
        let objects = 1 + self.rng.below(3);
        for _ in 0..objects {
            let shape = self.shape();
            let places = [(6, Storage::Global), (1, Storage::Stack), (1, Storage::Heap)];
            let storage = self.rng.weighted(&places).unwrap_or(Storage::Global);
            self.program.objects.push(Object { shape, storage });
        }
        let kinds = [
            (6, LockKind::Mutex),
            (1, LockKind::Recursive),
            (1, LockKind::ErrorCheck),
            (2, LockKind::Spin),
            (3, LockKind::ReadWrite),
        ];
        for _ in 0..1 + self.rng.below(2) {
            let kind = self.rng.weighted(&kinds).unwrap_or(LockKind::Mutex);
            self.program.locks.push(kind);
        }
        if self.theme == Some(Theme::Semaphores) || self.rng.chance(40) {
            self.program.semaphores = vec![self.rng.below(2) as u8];
        }
        self.program.conditions = usize::from(self.theme == Some(Theme::Conditions) || self.rng.chance(30));
        if self.theme == Some(Theme::Conditions) {
            self.program.locks[0] = LockKind::Mutex;
        }
        if self.theme == Some(Theme::Waiting) || self.rng.chance(15) {
            self.program.barriers.push(2);
        }
        self.program.cells = usize::from(self.theme == Some(Theme::Blocks) || self.rng.chance(20));
    }

    fn size(&mut self) -> u8 {
        self.rng.weighted(&[(1, 1), (1, 2), (4, 4), (1, 8)]).unwrap_or(4)
    }

    fn shape(&mut self) -> Shape {
        let size = self.size();
        match self.rng.below(12) {
            0 => Shape::Union,
            1 => Shape::Record,
            2 => Shape::Bits,
            3 | 4 => Shape::Array(size.min(4), 2 + self.rng.below(2) as u8),
            5 | 6 if self.flavour != Flavour::Racy => Shape::Atomic(size),
            _ => Shape::Scalar(size),
        }
    }

    fn threads(&mut self) {
        let count = if self.rng.chance(65) { 2 } else { 3 } + usize::from(self.rng.chance(5));
        let count = count.min(THREADS);
        let each = self.budget / count + 1;
        for thread in 0..count {
            // The first thread often only creates and joins.
            let share = if thread == 0 && self.rng.chance(40) { 0 } else { 1 + self.rng.below(each) };
            let body = self.body(share, Site { depth: 0, loops: 0 });
            self.program.threads.push(body);
        }
        self.partners(count);
        for thread in 1..count {
            let creator = if self.rng.chance(80) { 0 } else { self.rng.below(thread) };
            self.creation(creator, thread);
        }
    }

    /// What the theme needs in two threads to have an effect.
    fn partners(&mut self, count: usize) {
        let site = Site { depth: 0, loops: 0 };
        let (first, second) = match self.theme {
            Some(Theme::Blocks) => {
                let put = Stmt::Put { cell: 0, mode: self.writing(None), value: self.value() };
                (Some(put), self.taking())
            }
            Some(Theme::Conditions) => {
                let notify = Stmt::Notify { condition: 0, all: self.rng.chance(30) };
                (Some(notify), self.waits(site))
            }
            Some(Theme::Waiting) => (Some(Stmt::Barrier(0)), Some(Stmt::Barrier(0))),
            Some(Theme::Semaphores) => (Some(Stmt::Post(0)), Some(Stmt::Wait(0))),
            _ => return,
        };
        let one = self.rng.below(count);
        let other = (one + 1 + self.rng.below(count - 1)) % count;
        for (thread, statement) in [(one, first), (other, second)] {
            let body = &mut self.program.threads[thread];
            let at = self.rng.below(body.len() + 1);
            statement.into_iter().for_each(|statement| body.insert(at, statement));
        }
    }

    /// Puts the creation of a thread and, nearly always, the join into its creator.
    fn creation(&mut self, creator: usize, thread: usize) {
        let early = creator == 0 && self.rng.chance(70);
        let body = &mut self.program.threads[creator];
        let first = body.iter().take_while(|s| matches!(s, Stmt::Spawn(_))).count();
        let at = if early { first } else { self.rng.below(body.len() + 1) };
        body.insert(at, Stmt::Spawn(thread));
        if self.rng.chance(92) {
            let last = body.len();
            let behind = if self.rng.chance(75) { last } else { at + 1 + self.rng.below(last - at) };
            body.insert(behind, Stmt::Join(thread));
        }
    }

    fn body(&mut self, size: usize, site: Site) -> Vec<Stmt> {
        (0..size).map(|_| self.statement(site)).collect()
    }

    fn inner(&mut self, site: Site, most: usize) -> Vec<Stmt> {
        let size = 1 + self.rng.below(most);
        self.body(size, Site { depth: site.depth + 1, ..site })
    }

    fn local(&mut self) -> Register {
        usize::from(self.rng.chance(35))
    }

    fn value(&mut self) -> Value {
        let register = self.local();
        match self.rng.below(10) {
            0..=5 => Value::Constant(1 + self.rng.below(3) as u64),
            6 => Value::Constant(0x0102_0304_0506_0708),
            7 => Value::Local(register),
            _ => Value::Plus(register, 1),
        }
    }

    fn place(&mut self, site: Site) -> Place {
        let object = self.rng.below(self.program.objects.len());
        let part = match self.program.objects[object].shape {
            Shape::Scalar(_) | Shape::Atomic(_) => Part::Whole,
            Shape::Array(_, length) => Part::Element(match self.rng.below(3) {
                0 => Index::Local(self.local()),
                1 if site.loops > 0 => Index::Local(2 + self.rng.below(site.loops)),
                _ => Index::Constant(self.rng.below(length.into()) as u8),
            }),
            Shape::Union => match self.rng.below(3) {
                0 => Part::Whole,
                1 => Part::Half(self.rng.below(2) as u8),
                _ => Part::Byte(self.rng.below(4) as u8),
            },
            Shape::Record => Part::Field(self.rng.below(3) as u8),
            Shape::Bits => Part::Field(self.rng.below(2) as u8),
        };
        Place { object, part }
    }

    /// A place that has an address: no bit field.
    fn addressable(&mut self, site: Site) -> Option<Place> {
        let place = self.place(site);
        (self.program.objects[place.object].shape != Shape::Bits).then_some(place)
    }

    fn order(&mut self, orders: &[Order]) -> Order {
        if self.rng.chance(40) { Order::SeqCst } else { *self.rng.pick(orders).unwrap_or(&Order::SeqCst) }
    }

    fn mode(&mut self, place: Option<Place>, orders: &[Order]) -> Mode {
        let bits = place.is_some_and(|at| self.program.objects[at.object].shape == Shape::Bits);
        let atomic = match self.flavour {
            _ if bits => 0,
            Flavour::Mixed => 35,
            Flavour::Racy => 0,
            Flavour::Atomic => 95,
            Flavour::Locked => 5,
        };
        if self.rng.chance(atomic) {
            return Mode::Atomic(self.order(orders));
        }
        if self.rng.chance(25) { Mode::Volatile } else { Mode::Plain }
    }

    fn reading(&mut self, place: Option<Place>) -> Mode {
        self.mode(place, &[Order::Relaxed, Order::Consume, Order::Acquire])
    }

    fn writing(&mut self, place: Option<Place>) -> Mode {
        self.mode(place, &[Order::Relaxed, Order::Release])
    }

    fn style(&mut self) -> Style {
        if self.rng.chance(20) {
            return Style::Sync;
        }
        Style::Atomic(self.order(&[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel]))
    }

    fn statement(&mut self, site: Site) -> Stmt {
        let flavour = self.flavour;
        let compound = if site.depth < 2 { 1 } else { 0 };
        let locked = if flavour == Flavour::Locked { 4 } else { 1 };
        let theme = |theme: Theme, usual: usize| if self.theme == Some(theme) { 8 } else { usual };
        let kinds: [(usize, Maker); 13] = [
            (9, Generator::load),
            (9, Generator::store),
            (4, Generator::update),
            (2, Generator::copy),
            (if flavour == Flavour::Racy { 0 } else { 4 }, Generator::rmw),
            (3 * compound, Generator::choice),
            (2 * compound, Generator::repeat),
            (theme(Theme::Locks, 2 * locked) * compound, Generator::locked),
            (theme(Theme::Semaphores, locked), Generator::semaphore),
            (theme(Theme::Conditions, locked), Generator::condition),
            (theme(Theme::Waiting, 1), Generator::waiting),
            (theme(Theme::Blocks, 2), Generator::blocks),
            (theme(Theme::Memory, 1), Generator::memory),
        ];
        (0..20)
            .find_map(|_| self.rng.weighted(&kinds).and_then(|make| make(self, site)))
            .unwrap_or(Stmt::Pause)
    }

    fn load(&mut self, site: Site) -> Option<Stmt> {
        let (into, place) = (self.local(), self.place(site));
        let mode = self.reading(Some(place));
        Some(Stmt::Load { into, mix: self.rng.chance(50), place, mode })
    }

    fn store(&mut self, site: Site) -> Option<Stmt> {
        let place = self.place(site);
        let mode = self.writing(Some(place));
        Some(Stmt::Store { place, mode, value: self.value() })
    }

    fn function(&mut self) -> Function {
        let functions = [Function::Add, Function::Sub, Function::And, Function::Or, Function::Xor];
        if self.rng.chance(60) { Function::Add } else { *self.rng.pick(&functions).unwrap_or(&Function::Add) }
    }

    fn update(&mut self, site: Site) -> Option<Stmt> {
        let place = self.place(site);
        let mode = if self.rng.chance(25) { Mode::Volatile } else { Mode::Plain };
        (self.flavour != Flavour::Atomic).then(|| {
            let (function, value) = (self.function(), self.value());
            Stmt::Update { place, mode, function, value }
        })
    }

    fn copy(&mut self, site: Site) -> Option<Stmt> {
        let (to, from) = (self.addressable(site)?, self.addressable(site)?);
        let mode = match self.mode(None, &[]) {
            Mode::Atomic(_) => Mode::Atomic(if self.rng.chance(50) { Order::Relaxed } else { Order::SeqCst }),
            other => other,
        };
        Some(Stmt::Copy { to, from, mode })
    }

    fn rmw(&mut self, site: Site) -> Option<Stmt> {
        let (into, place, style) = (self.local(), self.addressable(site)?, self.style());
        if self.rng.chance(40) {
            let expected = self.rng.below(3) as u64;
            return Some(Stmt::Cas { into, place, expected, desired: self.value(), style });
        }
        let function = match self.rng.below(8) {
            0 => Function::Nand,
            1 if style != Style::Sync => Function::Exchange,
            _ => self.function(),
        };
        Some(Stmt::Rmw { into, place, function, value: self.value(), style })
    }

    fn choice(&mut self, site: Site) -> Option<Stmt> {
        let then = self.inner(site, 2);
        let other = if self.rng.chance(30) { self.inner(site, 1) } else { Vec::new() };
        if self.rng.chance(50) {
            let place = self.place(site);
            let mode = self.reading(Some(place));
            return Some(Stmt::Look { place, mode, value: self.rng.below(3) as u64, then, other });
        }
        let compare = *self.rng.pick(&[Compare::Equal, Compare::Less, Compare::Odd])?;
        Some(Stmt::If { left: self.local(), compare, right: 1 + self.rng.below(2) as u64, then, other })
    }

    fn repeat(&mut self, site: Site) -> Option<Stmt> {
        if site.loops == 2 {
            return None;
        }
        let place = self.place(site);
        let unless = self.rng.chance(30).then(|| (place, self.reading(Some(place))));
        let body = self.inner(Site { loops: site.loops + 1, ..site }, 2);
        Some(Stmt::Repeat { counter: 2 + site.loops, times: 2 + self.rng.below(2) as u64, unless, body })
    }

    fn locked(&mut self, site: Site) -> Option<Stmt> {
        let lock = self.rng.below(self.program.locks.len());
        let kind = self.program.locks[lock];
        // Now and then a mutex is locked by its own holder: a deadlock. Spin locks are not: that is
        // undefined.
        let again = self.held.contains(&lock);
        if again && !(kind == LockKind::Recursive || (kind == LockKind::Mutex && self.rng.chance(20))) {
            return None;
        }
        let hold =
            if kind == LockKind::ReadWrite && self.rng.chance(50) { Hold::Shared } else { Hold::Alone };
        self.held.push(lock);
        let body = self.inner(site, 2);
        self.held.pop();
        if self.rng.chance(25) {
            let other = if self.rng.chance(60) { self.inner(site, 1) } else { Vec::new() };
            return Some(Stmt::Try { lock, hold, then: body, other });
        }
        Some(Stmt::Locked { lock, hold, body })
    }

    fn semaphore(&mut self, _: Site) -> Option<Stmt> {
        let at = self.rng.below(self.program.semaphores.len());
        if self.program.semaphores.is_empty() {
            return None;
        }
        Some(match self.rng.below(6) {
            0..=2 => Stmt::Post(at),
            3 => Stmt::TryWait(self.local(), at),
            4 if self.rng.chance(30) => Stmt::Count(self.local(), at),
            _ => Stmt::Wait(at),
        })
    }

    fn condition(&mut self, site: Site) -> Option<Stmt> {
        if self.program.conditions == 0 {
            return None;
        }
        if self.rng.chance(55) {
            return Some(Stmt::Notify { condition: 0, all: self.rng.chance(40) });
        }
        self.waits(site)
    }

    fn waits(&mut self, site: Site) -> Option<Stmt> {
        let lock = self.program.locks.iter().position(|kind| *kind == LockKind::Mutex)?;
        if self.held.contains(&lock) || site.depth > 0 {
            return None;
        }
        let place = self.place(site);
        let (value, again) = (1 + self.rng.below(2) as u64, self.rng.chance(60));
        self.held.push(lock);
        let body = self.inner(site, 1);
        self.held.pop();
        Some(Stmt::Condition { lock, condition: 0, place, value, again, body })
    }

    /// Barriers, pauses, loops that wait.
    fn waiting(&mut self, site: Site) -> Option<Stmt> {
        match self.rng.below(4) {
            0 => Some(Stmt::Pause),
            1 if !self.program.barriers.is_empty() => Some(Stmt::Barrier(0)),
            2 if self.flavour != Flavour::Racy => {
                let place = self.addressable(site)?;
                let mode = Mode::Atomic(self.order(&[Order::Relaxed, Order::Acquire]));
                let value = self.rng.below(3) as u64;
                Some(Stmt::Await { place, mode, value, yields: self.rng.chance(30) })
            }
            _ => None,
        }
    }

    /// Blocks of memory that are allocated and freed on the way. In a loop one would be many.
    fn blocks(&mut self, site: Site) -> Option<Stmt> {
        let into = self.local();
        if self.program.cells == 0 || self.rng.chance(20) {
            return self.rng.chance(30).then(|| Stmt::Scratch { into, value: self.value() });
        }
        let cell = 0;
        match self.rng.below(5) {
            0 | 1 if site.loops == 0 => {
                Some(Stmt::Put { cell, mode: self.writing(None), value: self.value() })
            }
            0..=3 => self.taking(),
            _ => Some(Stmt::Peek { cell, mode: self.reading(None), into }),
        }
    }

    fn taking(&mut self) -> Option<Stmt> {
        let order = self.order(&[Order::Relaxed, Order::Acquire, Order::AcqRel]);
        let mode = self.mode(None, &[Order::Relaxed]);
        let mode = if matches!(mode, Mode::Atomic(_)) { Mode::Atomic(order) } else { mode };
        Some(Stmt::Take { cell: 0, mode, into: self.local() })
    }

    fn memory(&mut self, _: Site) -> Option<Stmt> {
        let count = self.program.objects.len();
        let (to, from) = (self.rng.below(count), self.rng.below(count));
        let whole = |object: usize| self.program.objects[object].shape.bytes().min(8) as u8;
        if self.flavour == Flavour::Atomic {
            return None;
        }
        if to == from || self.rng.chance(40) {
            let bytes = if self.rng.chance(70) { whole(to) } else { whole(to).min(2) };
            return Some(Stmt::Fill { to, byte: self.rng.below(3) as u8, bytes });
        }
        Some(Stmt::Move { to, from, bytes: whole(to).min(whole(from)) })
    }
}
