//! The reference stepper on small systems built by hand, one rule at a time.

mod exploring;

use exploring::explore;
use logic::{Binary, IntType, Sort, Term};
use num_bigint::BigInt;
use space::Step;
use system::*;

/// A system with Promela's scheduling rules under construction. Choices of a point are one tier, in
/// order, until changed.
struct Maker {
    system: System,
}

impl Maker {
    fn new(globals: Vec<Object>) -> Maker {
        let scheduling = Some(Scheduling::default());
        Maker { system: System { globals, scheduling, ..System::default() } }
    }

    fn scheduling(&mut self) -> &mut Scheduling {
        self.system.scheduling.get_or_insert_default()
    }

    fn process_type(
        &mut self,
        name: &str,
        objects: Vec<Object>,
        transitions: Vec<Transition>,
    ) -> ProcessTypeId {
        let points = transitions.iter().map(|t| t.pre.max(t.post)).max().unwrap_or(0) + 1;
        let tier = |point| {
            let of_point = transitions.iter().enumerate().filter(move |(_, t)| t.pre == point);
            Tier {
                choices: of_point.map(|(transition, _)| Choice { transition, otherwise: false }).collect(),
            }
        };
        let rules = ProcessRules {
            provided: None,
            points: (0..points)
                .map(|p| LocationRules { tiers: vec![tier(p)], deterministic: false })
                .collect(),
            keeps: vec![false; transitions.len()],
        };
        self.scheduling().process_types.push(rules);
        let points = vec![Location::default(); points];
        let process_type =
            ProcessType { name: name.into(), objects, points, transitions, ..ProcessType::default() };
        self.system.process_types.push(process_type);
        self.system.process_types.len() - 1
    }

    /// A process type and one process of it.
    fn process(&mut self, name: &str, transitions: Vec<Transition>) -> ProcessTypeId {
        let process_type = self.process_type(name, Vec::new(), transitions);
        self.born(process_type, 1);
        process_type
    }

    fn born(&mut self, process_type: ProcessTypeId, priority: u8) {
        self.system.initial.push(Creation { process_type, arguments: Vec::new(), priority });
    }

    fn rules(&mut self, process_type: ProcessTypeId) -> &mut ProcessRules {
        &mut self.scheduling().process_types[process_type]
    }
}

fn byte() -> Sort {
    Sort::Machine(IntType::BYTE)
}

fn variable(name: &str) -> Object {
    Object::variable(name, byte(), Initial::Zero)
}

fn rendezvous() -> Object {
    Object::channel("q", 0, vec![byte()])
}

fn handle(object: ObjectId) -> Expr {
    Term::Atom(Read::Handle(Root::Global(object)))
}

fn x() -> Place {
    Place::global(0)
}

fn x_is(value: i64) -> Expr {
    Term::binary(Binary::Equal, x().read(), Term::Constant(value))
}

fn set_x(value: i64) -> Operation {
    Operation::Assign { target: x(), value: Term::Constant(value) }
}

fn send(channel: Expr, message: i64) -> Operation {
    Operation::Send { channel, message: vec![Term::Constant(message)], sorted: false }
}

fn receive(channel: Expr, pattern: Pattern) -> Operation {
    let mode = ReceiveMode { anywhere: false, copy: false };
    Operation::Receive { channel, patterns: vec![pattern], mode }
}

fn go(pre: LocationId, operation: Operation, post: LocationId) -> Transition {
    Transition::new(pre, Term::TRUE, vec![operation], post)
}

fn wait(pre: LocationId, guard: Expr, post: LocationId) -> Transition {
    Transition::new(pre, guard, Vec::new(), post)
}

fn moves(system: &System, state: &State) -> Vec<Move> {
    Reference::new(system).moves(state)
}

/// The state after the moves with these numbers.
#[track_caller]
fn after(system: &System, numbers: &[usize]) -> State {
    let first = Reference::new(system).initial().unwrap();
    numbers.iter().fold(first, |state, n| moves(system, &state)[*n].next.clone().unwrap())
}

/// Who can move, with which transitions.
fn choices(system: &System, state: &State) -> Vec<(Pid, Vec<TransitionId>)> {
    moves(system, state).into_iter().map(|m| (m.step.actor, m.step.path)).collect()
}

#[test]
fn a_handshake_is_one_move_with_each_receiver() {
    let mut m = Maker::new(vec![variable("x"), rendezvous()]);
    m.process("S", vec![go(0, send(handle(1), 7), 1)]);
    let bind = || go(0, receive(handle(1), Pattern::Bind(x())), 1);
    m.process("R", vec![bind()]);
    m.process("T", vec![bind(), go(0, receive(handle(1), Pattern::Match(Term::Constant(8))), 2)]);
    let first = after(&m.system, &[]);
    let steps: Vec<_> = moves(&m.system, &first).into_iter().map(|m| m.step).collect();
    let with = |partner| Step { actor: 0, path: vec![0], partner: Some((partner, vec![0])) };
    assert_eq!(steps, [with(1), with(2)]);
    let next = after(&m.system, &[1]);
    assert_eq!(next.globals[0], Value::int(7));
    assert_eq!(next.processes.iter().map(|p| p.point).collect::<Vec<_>>(), [1, 0, 1]);
    assert_eq!(moves(&m.system, &next), []);
}

#[test]
fn both_sides_of_a_handshake_print() {
    let mut m = Maker::new(vec![variable("x"), rendezvous()]);
    let says = |text: &str| Operation::Print { format: text.into(), arguments: vec![] };
    m.process("S", vec![Transition::new(0, Term::TRUE, vec![send(handle(1), 7), says("sent")], 1)]);
    let taken = vec![receive(handle(1), Pattern::Ignore), says("received")];
    m.process("R", vec![Transition::new(0, Term::TRUE, taken, 1)]);
    assert_eq!(moves(&m.system, &after(&m.system, &[]))[0].printed, ["sent", "received"]);
}

#[test]
fn without_scheduling_rules_everything_interleaves() {
    let mut m = Maker::new(vec![variable("x"), rendezvous()]);
    m.process("S", vec![go(0, send(handle(1), 7), 1)]);
    m.process("R", vec![go(0, receive(handle(1), Pattern::Bind(x())), 1), go(0, set_x(3), 1)]);
    m.system.scheduling = None;
    let found = explore(&m.system, &after(&m.system, &[]));
    assert_eq!((found.states.len(), found.transitions), (3, 2));
}

#[test]
fn else_runs_only_if_nothing_before_it_can() {
    let mut m = Maker::new(vec![variable("x")]);
    let p = m.process("P", vec![wait(0, x_is(1), 1), wait(0, Term::TRUE, 2)]);
    m.rules(p).points[0].tiers[0].choices[1].otherwise = true;
    let mut state = after(&m.system, &[]);
    assert_eq!(choices(&m.system, &state), [(0, vec![1])]);
    state.globals[0] = Value::int(1);
    assert_eq!(choices(&m.system, &state), [(0, vec![0])]);
}

#[test]
fn a_lower_tier_waits_for_the_higher() {
    let mut m = Maker::new(vec![variable("x")]);
    let p = m.process("P", vec![wait(0, x_is(1), 1), wait(0, Term::TRUE, 2)]);
    let choices_of = |transition| Tier { choices: vec![Choice { transition, otherwise: false }] };
    m.rules(p).points[0].tiers = vec![choices_of(0), choices_of(1)];
    let mut state = after(&m.system, &[]);
    assert_eq!(choices(&m.system, &state), [(0, vec![1])]);
    state.globals[0] = Value::int(1);
    assert_eq!(choices(&m.system, &state), [(0, vec![0])], "the escape alone");
}

/// P: atomic { skip; x == 1; skip } next to a process that can always move.
fn atomic() -> Maker {
    let mut m = Maker::new(vec![variable("x")]);
    let p = m.process("P", vec![wait(0, Term::TRUE, 1), wait(1, x_is(1), 2), wait(2, Term::TRUE, 3)]);
    m.rules(p).keeps = vec![true, true, false];
    m.process("Q", vec![go(0, set_x(1), 0)]);
    m
}

#[test]
fn an_atomic_sequence_keeps_control_while_it_can_go_on() {
    let m = atomic();
    let mut state = after(&m.system, &[]);
    assert_eq!(choices(&m.system, &state), [(0, vec![0]), (1, vec![0])]);
    state.globals[0] = Value::int(1);
    let state = moves(&m.system, &state)[0].next.clone().unwrap();
    assert_eq!(state.control, Some(0));
    assert_eq!(choices(&m.system, &state), [(0, vec![1])]);
    let state = moves(&m.system, &state)[0].next.clone().unwrap();
    assert_eq!((state.control, choices(&m.system, &state)), (Some(0), vec![(0, vec![2])]));
    let state = moves(&m.system, &state)[0].next.clone().unwrap();
    assert_eq!((state.control, choices(&m.system, &state)), (None, vec![(1, vec![0])]));
}

#[test]
fn an_atomic_sequence_that_blocks_loses_control() {
    let m = atomic();
    let state = after(&m.system, &[0]);
    assert_eq!((state.control, choices(&m.system, &state)), (None, vec![(1, vec![0])]));
    let state = moves(&m.system, &state)[0].next.clone().unwrap();
    assert_eq!(
        choices(&m.system, &state),
        [(0, vec![1]), (1, vec![0])],
        "and does not get it back for nothing"
    );
    let state = moves(&m.system, &state)[0].next.clone().unwrap();
    assert_eq!(state.control, Some(0), "but by going on");
}

#[test]
fn a_handshake_hands_control_to_the_receiver() {
    for (sender_keeps, receiver_keeps) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut m = Maker::new(vec![variable("x"), rendezvous()]);
        let s = m.process("S", vec![go(0, send(handle(1), 7), 1), wait(1, Term::TRUE, 2)]);
        let r = m.process("R", vec![go(0, receive(handle(1), Pattern::Ignore), 1), wait(1, Term::TRUE, 2)]);
        m.rules(s).keeps = vec![sender_keeps, false];
        m.rules(r).keeps = vec![receiver_keeps, false];
        let state = after(&m.system, &[0]);
        assert_eq!(state.control, receiver_keeps.then_some(1), "{sender_keeps} {receiver_keeps}");
        let movers = if receiver_keeps { vec![(1, vec![1])] } else { vec![(0, vec![1]), (1, vec![1])] };
        assert_eq!(choices(&m.system, &state), movers);
    }
}

/// P: d_step { skip; …the given transitions from point 1 on… }
fn d_step(inside: Vec<Transition>, deterministic: &[LocationId]) -> Maker {
    let mut m = Maker::new(vec![variable("x")]);
    let p = m.process("P", [vec![wait(0, Term::TRUE, 1)], inside].concat());
    for point in deterministic {
        m.rules(p).points[*point].deterministic = true;
    }
    m
}

#[test]
fn a_d_step_is_one_move_and_takes_the_first_choice() {
    let m = d_step(vec![go(1, set_x(1), 2), go(1, set_x(2), 2), go(2, set_x(5), 3)], &[1, 2]);
    let state = after(&m.system, &[]);
    assert_eq!(choices(&m.system, &state), [(0, vec![0, 1, 3])]);
    let next = after(&m.system, &[0]);
    assert_eq!((next.processes[0].point, next.globals[0].clone()), (3, Value::int(5)));
}

#[test]
fn a_d_step_must_go_on_and_must_end() {
    let blocks = d_step(vec![wait(1, x_is(1), 2)], &[1]);
    let blocked = moves(&blocks.system, &after(&blocks.system, &[]));
    assert_eq!((blocked.len(), blocked[0].fault, &blocked[0].next), (1, Some(Fault::StepBlocks), &None));
    assert_eq!(blocked[0].step.path, [0]);
    let diverges = d_step(vec![go(1, set_x(1), 1)], &[1]);
    let diverging = moves(&diverges.system, &after(&diverges.system, &[]));
    assert_eq!(
        (diverging.len(), diverging[0].fault, &diverging[0].next),
        (1, Some(Fault::StepDiverges), &None)
    );
}

#[test]
fn a_process_moves_only_while_provided() {
    let mut m = Maker::new(vec![variable("x")]);
    let p = m.process("P", vec![wait(0, Term::TRUE, 1)]);
    m.rules(p).provided = Some(x_is(1));
    m.process("Q", vec![go(0, set_x(1), 1)]);
    assert_eq!(choices(&m.system, &after(&m.system, &[])), [(1, vec![0])]);
    assert_eq!(choices(&m.system, &after(&m.system, &[0])), [(0, vec![0])]);
}

#[test]
fn only_the_highest_priority_that_can_move_moves() {
    let mut m = Maker::new(vec![variable("x")]);
    let low = m.process_type("L", vec![], vec![wait(0, Term::TRUE, 1)]);
    let high = m.process_type("H", vec![], vec![wait(0, x_is(1), 1)]);
    m.born(low, 1);
    m.born(high, 5);
    m.born(high, 5);
    m.scheduling().priorities = true;
    let mut state = after(&m.system, &[]);
    assert_eq!(choices(&m.system, &state), [(0, vec![0])], "the higher ones cannot");
    state.globals[0] = Value::int(1);
    assert_eq!(choices(&m.system, &state), [(1, vec![0]), (2, vec![0])]);
    m.scheduling().priorities = false;
    assert_eq!(choices(&m.system, &state).len(), 3);
}

#[test]
fn priorities_can_be_changed() {
    let mut m = Maker::new(vec![variable("x")]);
    let raise = |p| Operation::SetPriority { process: Term::Constant(1), priority: Term::Constant(p) };
    m.process("P", vec![go(0, raise(9), 1), wait(1, Term::TRUE, 2)]);
    m.process("Q", vec![wait(0, Term::TRUE, 1)]);
    m.scheduling().priorities = true;
    let state = after(&m.system, &[0]);
    assert_eq!(state.processes[1].priority, 9);
    assert_eq!(choices(&m.system, &state), [(1, vec![0])]);
    m.system.process_types[0].transitions[0].command = vec![raise(0)];
    assert_eq!(moves(&m.system, &after(&m.system, &[]))[0].fault, Some(Fault::BadPriority));
}

#[test]
fn the_youngest_ends_first() {
    let mut m = Maker::new(vec![]);
    let p = m.process_type("P", vec![], vec![go(0, Operation::Stop, 1)]);
    (0..3).for_each(|_| m.born(p, 1));
    for (dead, numbers) in [vec![], vec![0], vec![0, 0]].iter().enumerate() {
        let state = after(&m.system, numbers);
        assert_eq!(choices(&m.system, &state), [(2 - dead, vec![0])]);
    }
    let last = after(&m.system, &[0, 0, 0]);
    assert!(last.processes.is_empty() && moves(&m.system, &last).is_empty());
    assert!(!Reference::new(&m.system).is_deadlock(&last));
}

#[test]
fn local_channels_die_with_their_process() {
    let mut m = Maker::new(vec![Object::variable("x", Sort::Channel, Initial::Zero)]);
    let own = || Term::Atom(Read::Handle(Root::Local(0)));
    let publish = Operation::Assign { target: x(), value: own() };
    let channel = Object::channel("c", 1, vec![byte()]);
    let child = m.process_type(
        "C",
        vec![channel],
        vec![go(0, publish, 1), go(1, send(own(), 4), 2), go(2, Operation::Stop, 3)],
    );
    let take = receive(x().read(), Pattern::Ignore);
    let start = Operation::Start { process_type: child, arguments: vec![], priority: None, result: None };
    m.process("P", vec![go(0, start, 1), go(1, take, 2)]);
    assert_eq!(moves(&m.system, &after(&m.system, &[0]))[0].fault, Some(Fault::NoChannel), "x is 0 yet");
    let alive = after(&m.system, &[0, 1, 0]);
    assert_eq!(alive.globals[0], Value::int(1));
    assert_eq!(choices(&m.system, &alive), [(0, vec![1]), (1, vec![2])]);
    let dead = moves(&m.system, &alive)[1].next.clone().unwrap();
    let faults: Vec<_> = moves(&m.system, &dead).into_iter().map(|m| m.fault).collect();
    assert_eq!(faults, [Some(Fault::NoChannel)]);
}

#[test]
fn handles_count_globals_first_then_processes_by_birth() {
    let mut m = Maker::new(vec![variable("x"), Object::channel("g", 1, vec![byte()])]);
    let p = m.process_type("P", vec![Object::channel("c", 1, vec![byte()])], vec![wait(0, Term::TRUE, 1)]);
    m.born(p, 1);
    m.born(p, 1);
    let state = after(&m.system, &[]);
    let own = |pid| state.handle(&m.system, Some(pid), &Root::Local(0));
    assert_eq!(state.handle(&m.system, None, &Root::Global(1)), Some(1));
    assert_eq!((own(0), own(1)), (Some(2), Some(3)));
    assert_eq!(state.channel(&m.system, &BigInt::from(3)), Some((Some(1), 0)));
    assert_eq!(state.channel(&m.system, &BigInt::from(0)), None);
    assert_eq!(state.channel(&m.system, &BigInt::from(4)), None);
}

#[test]
fn faults_end_the_run() {
    let array = Object::variable("a", Sort::array(byte(), 2), Initial::Zero);
    let element = |i| Place { root: Root::Global(1), path: vec![Access::Index(Term::Constant(i))] };
    let assign = |target, value| Operation::Assign { target, value };
    let divided = Term::binary(Binary::Divide, Term::Constant(1), x().read());
    let two = Operation::Send {
        channel: handle(2),
        message: vec![Term::Constant(1), Term::Constant(2)],
        sorted: false,
    };
    let copy = Operation::Receive {
        channel: handle(3),
        patterns: vec![Pattern::Ignore],
        mode: ReceiveMode { anywhere: false, copy: true },
    };
    let cases = [
        (assign(x(), divided), Fault::DivisionByZero),
        (assign(element(2), Term::TRUE), Fault::IndexOutOfBounds),
        (assign(element(-1), Term::TRUE), Fault::IndexOutOfBounds),
        (assign(x(), element(2).read()), Fault::IndexOutOfBounds),
        (send(Term::Constant(0), 1), Fault::NoChannel),
        (send(x().read(), 1), Fault::NoChannel),
        (receive(Term::Constant(99), Pattern::Ignore), Fault::NoChannel),
        (two, Fault::WrongFields),
        (copy, Fault::PollsRendezvous),
    ];
    for (operation, fault) in cases {
        let globals = vec![variable("x"), array.clone(), Object::channel("q", 1, vec![byte()]), rendezvous()];
        let mut m = Maker::new(globals);
        m.process("P", vec![go(0, operation.clone(), 1)]);
        let found = moves(&m.system, &after(&m.system, &[]));
        assert_eq!((found.len(), found[0].fault, &found[0].next), (1, Some(fault), &None), "{operation:?}");
    }
}

#[test]
fn an_assertion_that_fails_lets_the_run_go_on() {
    let mut m = Maker::new(vec![variable("x")]);
    m.process("P", vec![go(0, Operation::Assert { condition: x_is(1) }, 1)]);
    let found = moves(&m.system, &after(&m.system, &[]));
    assert_eq!(found[0].fault, Some(Fault::Assertion));
    assert_eq!(found[0].next.as_ref().map(|s| s.processes[0].point), Some(1));
}

#[test]
fn there_are_at_most_255_processes() {
    let mut m = Maker::new(vec![]);
    let start = Operation::Start { process_type: 0, arguments: vec![], priority: None, result: None };
    m.process_type("P", vec![], vec![go(0, start, 1)]);
    (0..255).for_each(|_| m.born(0, 1));
    let found = moves(&m.system, &after(&m.system, &[]));
    assert_eq!(found.len(), 255);
    assert!(found.iter().all(|m| m.fault == Some(Fault::TooManyProcesses) && m.next.is_none()));
    m.born(0, 1);
    assert_eq!(Reference::new(&m.system).initial(), Err(Fault::TooManyProcesses));
}

#[test]
fn timeout_is_true_only_if_nobody_else_can_move() {
    let mut m = Maker::new(vec![variable("x")]);
    m.process("P", vec![wait(0, Term::Atom(Read::Timeout), 1)]);
    m.process("Q", vec![wait(0, Term::TRUE, 1)]);
    assert_eq!(choices(&m.system, &after(&m.system, &[])), [(1, vec![0])]);
    assert_eq!(choices(&m.system, &after(&m.system, &[0])), [(0, vec![0])]);
    assert!(choices(&m.system, &after(&m.system, &[0, 0])).is_empty());
}

#[test]
fn stored_values_wrap() {
    let mut m = Maker::new(vec![variable("x")]);
    m.process("P", vec![go(0, set_x(300), 1)]);
    assert_eq!(after(&m.system, &[0]).globals[0], Value::int(44));
}

#[test]
fn enabled_asks_whether_a_process_can_move() {
    let mut m = Maker::new(vec![variable("x")]);
    let enabled = |p| Term::Atom(Read::Enabled(Box::new(Term::Constant(p))));
    m.process("P", vec![wait(0, enabled(1), 1)]);
    m.process("Q", vec![wait(0, x_is(1), 1)]);
    let mut state = after(&m.system, &[]);
    assert_eq!(choices(&m.system, &state), []);
    state.globals[0] = Value::int(1);
    assert_eq!(choices(&m.system, &state), [(0, vec![0]), (1, vec![0])]);
    m.system.process_types[1].transitions[0].guard = enabled(0);
    let circular = moves(&m.system, &state);
    assert!(circular.iter().all(|m| m.fault == Some(Fault::CircularEnabled)), "{circular:?}");
}

#[test]
fn nothing_to_do_is_a_deadlock_unless_everybody_may_rest() {
    let mut m = Maker::new(vec![variable("x")]);
    m.process("P", vec![wait(0, x_is(1), 1)]);
    let state = after(&m.system, &[]);
    assert!(Reference::new(&m.system).is_deadlock(&state));
    m.system.process_types[0].points[0].valid_end = true;
    assert!(!Reference::new(&m.system).is_deadlock(&state));
}
