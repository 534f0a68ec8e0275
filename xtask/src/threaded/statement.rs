//! Statements as C, one access in each expression, so that no order of evaluation is left open.

use super::print::number;
use super::{
    Compare, Function, Hold, Index, LockKind, Mode, NAMES, Order, Part, Place, Private, Program, Register,
    Shape, Stmt, Storage, Style, Value,
};
use std::fmt::Write;

pub(super) struct Text<'p> {
    pub program: &'p Program,
    pub out: String,
    pub depth: usize,
}

fn name(register: Register) -> &'static str {
    NAMES[register]
}

fn value(value: Value) -> String {
    match value {
        Value::Constant(number) => format!("{number}ul"),
        Value::Local(register) => name(register).to_owned(),
        Value::Plus(register, number) => format!("({} + {number}ul)", name(register)),
        Value::Times(register, number) => format!("({} * {number}ul)", name(register)),
    }
}

fn order(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "__ATOMIC_RELAXED",
        Order::Consume => "__ATOMIC_CONSUME",
        Order::Acquire => "__ATOMIC_ACQUIRE",
        Order::Release => "__ATOMIC_RELEASE",
        Order::AcqRel => "__ATOMIC_ACQ_REL",
        Order::SeqCst => "__ATOMIC_SEQ_CST",
    }
}

fn verb(function: Function) -> (&'static str, &'static str) {
    match function {
        Function::Add => ("add", "+="),
        Function::Sub => ("sub", "-="),
        Function::And => ("and", "&="),
        Function::Or => ("or", "|="),
        Function::Xor => ("xor", "^="),
        Function::Nand => ("nand", "~&="),
        Function::Exchange | Function::Shift => ("exchange", "="),
    }
}

impl Text<'_> {
    pub fn thread(&mut self, thread: usize) {
        self.line("unsigned long a = 0, b = 0, i = 0, j = 0;\n    (void)i; (void)j;");
        let body = &self.program.threads[thread];
        self.body(body);
        self.line(&format!("out[{thread}][0] = a;"));
        self.line(&format!("out[{thread}][1] = b;"));
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", 4 * self.depth);
    }

    fn body(&mut self, body: &[Stmt]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    /// `head {`, the body, `}`.
    fn block(&mut self, head: &str, body: &[Stmt]) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.body(body);
        self.depth -= 1;
        self.line("}");
    }

    fn object(&self, object: usize) -> String {
        match self.program.objects[object].storage {
            Storage::Global => format!("x{object}"),
            _ => format!("(*x{object})"),
        }
    }

    /// The place as an expression, and its type.
    fn place(&self, place: Place) -> (String, String) {
        let object = self.object(place.object);
        match (self.program.objects[place.object].shape, place.part) {
            (Shape::Array(size, _), Part::Element(Index::Constant(at))) => {
                (format!("{object}[{at}]"), number(size))
            }
            (Shape::Array(size, length), Part::Element(Index::Local(register))) => {
                (format!("{object}[{} % {length}]", name(register)), number(size))
            }
            (Shape::Union, Part::Half(half)) => (format!("{object}.h[{half}]"), number(2)),
            (Shape::Union, Part::Byte(byte)) => (format!("{object}.b[{byte}]"), number(1)),
            (Shape::Union, _) => (format!("{object}.w"), number(4)),
            (Shape::Record, Part::Field(field)) => {
                let at = usize::from(field);
                (format!("{object}.{}", ["x", "y", "z"][at]), number([1, 2, 4][at]))
            }
            (Shape::Bits, Part::Field(field)) => {
                (format!("{object}.{}", ["f", "g"][usize::from(field)]), "struct bits".to_owned())
            }
            (shape, _) => (object, number(shape.bytes() as u8)),
        }
    }

    /// The place as it is read or written without an atomic function.
    fn lvalue(&self, place: Place, mode: Mode) -> String {
        let (text, kind) = self.place(place);
        let shape = self.program.objects[place.object].shape;
        match (mode, shape, place.part) {
            (Mode::Volatile, Shape::Bits, Part::Field(field)) => {
                let object = self.object(place.object);
                format!("((volatile struct bits *)&{object})->{}", ["f", "g"][usize::from(field)])
            }
            (Mode::Volatile, Shape::Atomic(_), _) => format!("(*(volatile _Atomic {kind} *)&{text})"),
            (Mode::Volatile, ..) => format!("(*(volatile {kind} *)&{text})"),
            _ => text,
        }
    }

    fn read(&self, place: Place, mode: Mode) -> String {
        match mode {
            Mode::Atomic(how) => format!("__atomic_load_n({}, {})", self.address(place), order(how)),
            _ => self.lvalue(place, mode),
        }
    }

    fn write(&self, place: Place, mode: Mode, text: &str) -> String {
        match mode {
            Mode::Atomic(how) => {
                format!("__atomic_store_n({}, {text}, {});", self.address(place), order(how))
            }
            _ => format!("{} = {text};", self.lvalue(place, mode)),
        }
    }

    /// For the atomic functions; those of `_Atomic` objects take the bare type too.
    fn address(&self, place: Place) -> String {
        let (text, kind) = self.place(place);
        match self.program.objects[place.object].shape {
            Shape::Atomic(_) => format!("({kind} *)&{text}"),
            _ => format!("&{text}"),
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Local(register, from) => self.line(&format!("{} = {};", name(*register), value(*from))),
            Stmt::Load { into, mix, place, mode } => {
                let (local, read) = (name(*into), self.read(*place, *mode));
                let kept = if *mix { format!("{local} * 8 + ") } else { String::new() };
                self.line(&format!("{local} = {kept}{read};"));
            }
            Stmt::Store { place, mode, value: from } => {
                let text = self.write(*place, *mode, &value(*from));
                self.line(&text);
            }
            Stmt::Update { place, mode, function, value: from } => {
                let text = format!("{} {} {};", self.lvalue(*place, *mode), verb(*function).1, value(*from));
                self.line(&text);
            }
            Stmt::Copy { to, from, mode } => {
                let text = self.write(*to, *mode, &self.read(*from, *mode));
                self.line(&text);
            }
            Stmt::Rmw { into, place, function, value: from, style } => {
                self.rmw(*into, *place, *function, (value(*from), *style));
            }
            Stmt::Cas { into, place, expected, desired, style } => {
                self.cas(*into, *place, (*expected, value(*desired)), *style);
            }
            Stmt::Look { place, mode, value, then, other } => {
                let head = format!("if ({} == {value}ul)", self.read(*place, *mode));
                self.choice(&head, then, other);
            }
            Stmt::If { left, compare, right, then, other } => {
                let test = match compare {
                    Compare::Equal => format!("== {right}ul"),
                    Compare::Less => format!("< {right}ul"),
                    Compare::Odd => "& 1".to_owned(),
                };
                self.choice(&format!("if ({} {test})", name(*left)), then, other);
            }
            Stmt::Repeat { counter, times, unless, body } => {
                let i = name(*counter);
                let until = unless.map(|(place, mode)| format!(" && {} == 0", self.read(place, mode)));
                let head = format!("for ({i} = 0; {i} < {times}{}; {i}++)", until.unwrap_or_default());
                self.block(&head, body);
            }
            Stmt::Await { place, mode, value, yields } => {
                let inside = if *yields { "sched_yield();" } else { "{}" };
                let text = format!("while ({} != {value}ul) {inside}", self.read(*place, *mode));
                self.line(&text);
            }
            Stmt::Put { .. } | Stmt::Take { .. } | Stmt::Peek { .. } | Stmt::Scratch { .. } => {
                self.heap(statement)
            }
            Stmt::Fork { into, places, lock } => self.fork(*into, *places, *lock),
            Stmt::Private { what, into, value: from } => self.private(*what, *into, &value(*from)),
            _ => self.synchronization(statement),
        }
    }

    fn fork(&mut self, into: Register, places: [Place; 2], lock: Option<usize>) {
        let [first, second] = places.map(|place| self.read(place, Mode::Plain));
        let free = lock.map(|lock| format!(" | ({} == 0) << 6", self.lock(lock, Hold::Alone)[1]));
        let found = format!("({first} & 7) | ({second} & 7) << 3{}", free.unwrap_or_default());
        self.line("{ int s = 0; pid_t c = fork();");
        self.line(&format!("  if (!c) _exit((int)({found}));"));
        self.line(&format!("  waitpid(c, &s, 0); {} = WEXITSTATUS(s); }}", name(into)));
    }

    fn private(&mut self, what: Private, into: Register, value: &str) {
        let (kind, begin, take, give, end) = match what {
            Private::Mutex => (
                "pthread_mutex_t",
                "pthread_mutex_init(q, 0)",
                "pthread_mutex_lock",
                "pthread_mutex_unlock",
                "pthread_mutex_destroy",
            ),
            Private::Semaphore => ("sem_t", "sem_init(q, 0, 1)", "sem_wait", "sem_post", "sem_destroy"),
            Private::ReadWrite => (
                "pthread_rwlock_t",
                "pthread_rwlock_init(q, 0)",
                "pthread_rwlock_rdlock",
                "pthread_rwlock_unlock",
                "pthread_rwlock_destroy",
            ),
        };
        self.line(&format!("{{ {kind} *q = malloc(sizeof *q); {begin};"));
        self.line(&format!("  {take}(q); {} = {value}; {give}(q); {end}(q); free(q); }}", name(into)));
    }

    fn choice(&mut self, head: &str, then: &[Stmt], other: &[Stmt]) {
        self.block(head, then);
        if !other.is_empty() {
            self.block("else", other);
        }
    }

    fn rmw(&mut self, into: Register, place: Place, function: Function, (from, style): (String, Style)) {
        let (address, (verb, _), into) = (self.address(place), verb(function), name(into));
        let text = match (style, function) {
            (Style::Atomic(how), Function::Exchange) => {
                format!("{into} = __atomic_exchange_n({address}, {from}, {});", order(how))
            }
            (Style::Atomic(how), _) => {
                format!("{into} = __atomic_fetch_{verb}({address}, {from}, {});", order(how))
            }
            (Style::Sync, _) => format!("{into} = __sync_fetch_and_{verb}({address}, {from});"),
        };
        self.line(&text);
    }

    fn cas(&mut self, into: Register, place: Place, (expected, desired): (u64, String), style: Style) {
        let (address, kind, into) = (self.address(place), self.place(place).1, name(into));
        let text = match style {
            Style::Sync => {
                format!("{into} = __sync_bool_compare_and_swap({address}, {expected}, {desired});")
            }
            Style::Atomic(how) => {
                let failing = how.failing();
                format!(
                    "{{ {kind} e = {expected}; {into} = __atomic_compare_exchange_n({address}, &e, {desired}, 0, \
                     {}, {}); }}",
                    order(how),
                    order(failing)
                )
            }
        };
        self.line(&text);
    }

    fn heap(&mut self, statement: &Stmt) {
        let pointer = |cell: &usize, mode: &Mode, taken: bool| match mode {
            Mode::Atomic(how) if taken => format!("__atomic_exchange_n(&cell{cell}, 0, {})", order(*how)),
            Mode::Atomic(how) => format!("__atomic_load_n(&cell{cell}, {})", order(*how)),
            Mode::Volatile => format!("*(uint32_t *volatile *)&cell{cell}"),
            Mode::Plain => format!("cell{cell}"),
        };
        let set = |cell: &usize, mode: &Mode, text: &str| match mode {
            Mode::Atomic(how) => format!("__atomic_store_n(&cell{cell}, {text}, {});", order(*how)),
            Mode::Volatile => format!("*(uint32_t *volatile *)&cell{cell} = {text};"),
            Mode::Plain => format!("cell{cell} = {text};"),
        };
        let text = match statement {
            Stmt::Scratch { into, value: from } => format!(
                "{{ unsigned long *q = malloc(8); *q = {}; {} = *q; free(q); }}",
                value(*from),
                name(*into)
            ),
            Stmt::Put { cell, mode, value: from } => {
                format!("{{ uint32_t *q = malloc(4); *q = {}; {} }}", value(*from), set(cell, mode, "q"))
            }
            Stmt::Take { cell, mode, into } => {
                let atomic = matches!(mode, Mode::Atomic(_));
                let empty = if atomic { String::new() } else { set(cell, mode, "0") };
                let (q, into) = (pointer(cell, mode, true), name(*into));
                format!("{{ uint32_t *q = {q}; {empty} if (q) {{ {into} = *q; free(q); }} }}")
            }
            Stmt::Peek { cell, mode, into } => {
                let (q, into) = (pointer(cell, mode, false), name(*into));
                format!("{{ uint32_t *q = {q}; if (q) {into} = *q; }}")
            }
            _ => return,
        };
        self.line(&text);
    }

    /// The functions that take, try and give back a lock.
    fn lock(&self, lock: usize, hold: Hold) -> [String; 3] {
        let (family, verb) = match (self.program.locks[lock], hold) {
            (LockKind::ReadWrite, Hold::Shared) => ("rwlock", "rdlock"),
            (LockKind::ReadWrite, Hold::Alone) => ("rwlock", "wrlock"),
            (LockKind::Spin, _) => ("spin", "lock"),
            _ => ("mutex", "lock"),
        };
        [verb.to_owned(), format!("try{verb}"), "unlock".to_owned()]
            .map(|verb| format!("pthread_{family}_{verb}(&lock{lock})"))
    }

    fn synchronization(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Locked { lock, hold, body } => {
                let [take, _, give] = self.lock(*lock, *hold);
                self.line(&format!("{take};"));
                self.body(body);
                self.line(&format!("{give};"));
            }
            Stmt::Try { lock, hold, then, other } => {
                let [_, attempt, give] = self.lock(*lock, *hold);
                self.line(&format!("if ({attempt} == 0) {{"));
                self.depth += 1;
                self.body(then);
                self.line(&format!("{give};"));
                self.depth -= 1;
                self.line("}");
                if !other.is_empty() {
                    self.block("else", other);
                }
            }
            Stmt::Condition { lock, condition, place, value, again, body } => {
                let word = if *again { "while" } else { "if" };
                let read = self.read(*place, Mode::Plain);
                self.line(&format!("pthread_mutex_lock(&lock{lock});"));
                self.line(&format!("{word} ({read} != {value}ul)"));
                self.line(&format!("    pthread_cond_wait(&cond{condition}, &lock{lock});"));
                self.body(body);
                self.line(&format!("pthread_mutex_unlock(&lock{lock});"));
            }
            _ => {
                let text = self.call(statement);
                self.line(&text);
            }
        }
    }

    fn call(&self, statement: &Stmt) -> String {
        match statement {
            Stmt::Post(at) => format!("sem_post(&sem{at});"),
            Stmt::Wait(at) => format!("sem_wait(&sem{at});"),
            Stmt::TryWait(into, at) => format!("{} = sem_trywait(&sem{at}) == 0;", name(*into)),
            Stmt::Count(into, at) => {
                format!("{{ int v; sem_getvalue(&sem{at}, &v); {} = v; }}", name(*into))
            }
            Stmt::Notify { condition, all: true } => format!("pthread_cond_broadcast(&cond{condition});"),
            Stmt::Notify { condition, .. } => format!("pthread_cond_signal(&cond{condition});"),
            Stmt::Barrier(at) => format!("pthread_barrier_wait(&bar{at});"),
            Stmt::Move { to, from, bytes } => {
                let record = |at: usize| self.program.objects[at].shape == Shape::Record;
                let (target, source) = (self.object(*to), self.object(*from));
                if *bytes == 8 && record(*to) && record(*from) {
                    return format!("{target} = {source};");
                }
                format!("memcpy(&{target}, &{source}, {bytes});")
            }
            Stmt::Fill { to, byte, bytes } => format!("memset(&{}, {byte}, {bytes});", self.object(*to)),
            Stmt::Pause => "sched_yield();".to_owned(),
            Stmt::Exit { at_once: true } => "_exit(0);".to_owned(),
            Stmt::Exit { .. } => "exit(0);".to_owned(),
            Stmt::Spawn(thread) => format!("pthread_create(&id[{thread}], 0, t{thread}, 0);"),
            Stmt::Join(thread) => format!("pthread_join(id[{thread}], 0);"),
            _ => String::new(),
        }
    }
}
