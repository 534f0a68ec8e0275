//! Systems as text: `.spl` or `.fts`.

use super::model::*;

/// The label of a location of a thread.
pub fn label(thread: usize, location: usize) -> String {
    format!("{}{location}", ["l", "m", "n"][thread % 3])
}

pub fn file(system: &System) -> String {
    let printer = Printer { system };
    let mut text = String::new();
    if !system.is_program() {
        text.push_str("Transition System\n");
    }
    for (n, variable) in system.variables.iter().enumerate() {
        if let Kind::Named(count) = variable.kind {
            let values: Vec<String> = (0..count).map(|v| named(n, v)).collect();
            text.push_str(&format!("type t{n} = {{{}}}\n", values.join(", ")));
        }
    }
    text.push_str("macro half = 1 / 2\nmacro quot(a, b) = a / b\n");
    if system.macros {
        text.push_str("macro put(place, e) do place := e\n");
    }
    if system.constant.is_some() {
        text.push_str("value N : int\n");
    }
    if system.table.is_some() {
        text.push_str("value h : [0..2] --> int\n");
    }
    text.push_str(&declarations(system, &printer));
    if !system.functions.is_empty() {
        text.push_str("value f : int --> int\nvalue g : int * int --> int\n");
    }
    let threads: Vec<String> = (0..system.threads.len()).map(|n| printer.thread(n)).collect();
    text.push_str(&threads.join("||\n"));
    for transition in &system.transitions {
        text.push_str(&printer.transition(transition));
    }
    if let Some((test, _)) = &system.constant {
        text.push_str(&format!("AXIOM rigid : {}\n", printer.test(test, 0)));
    }
    if let Some([a, b, c]) = &system.table {
        text.push_str(&format!("AXIOM table : h(0) = {a} /\\ h(1) = {b} /\\ h(2) = {c}\n"));
    }
    if let Some(test) = &system.axiom {
        text.push_str(&format!("AXIOM state : []({})\n", printer.test(test, 0)));
    }
    for (n, axiom) in system.functions.iter().enumerate() {
        text.push_str(&format!("AXIOM function{n} : {axiom}\n"));
    }
    for (n, claim) in system.claims.iter().enumerate() {
        text.push_str(&format!("PROPERTY p{n} : {}\n", printer.claim(claim, 0)));
    }
    text
}

/// Variables with what they are at first. A condition on the beginning besides is with the last one
/// in a program, and on its own in a transition system.
fn declarations(system: &System, printer: &Printer) -> String {
    let (mut text, mut initially) = (String::new(), String::new());
    let all = &system.variables;
    for (n, variable) in all.iter().enumerate() {
        let kind = kind(n, &variable.kind);
        let mut first: Vec<String> = first(n, variable).into_iter().collect();
        if let (Some(test), true, true) = (&system.initially, n + 1 == all.len(), system.is_program()) {
            first.push(printer.test(test, 0));
        }
        if let Some(record) = &variable.record {
            let fields = system.fields(record);
            if fields[0] == n {
                text.push_str(&format!("local {record} : record {{p : [0..2]; q : int}}"));
                text.push_str(&format!(" where {}", first.join(", ")));
                continue;
            }
            text.push_str(&format!(", {}\n", first.join(", ")));
            continue;
        }
        let given = if first.is_empty() { String::new() } else { format!(" where {}", first.join(", ")) };
        text.push_str(&format!("local {} : {kind}{given}\n", variable.name));
    }
    if let (Some(test), false) = (&system.initially, system.is_program()) {
        initially = format!("Initially {}\n", printer.test(test, 0));
    }
    text + &initially
}

fn kind(n: Var, kind: &Kind) -> String {
    let channel = |capacity: &Capacity, low: &i64, high: &i64| match capacity {
        Capacity::None => format!("channel of [{low}..{high}]"),
        Capacity::Some(size) => format!("channel [1..{size}] of [{low}..{high}]"),
        Capacity::Unbounded => format!("channel [1..] of [{low}..{high}]"),
    };
    match kind {
        Kind::Range(low, high) => format!("[{low}..{high}]"),
        Kind::Int => "int".to_string(),
        Kind::Real => "real".to_string(),
        Kind::Bool => "bool".to_string(),
        Kind::Named(_) => format!("t{n}"),
        Kind::Array(Bounds(a, b), None) => format!("array [{a}..{b}] of int"),
        Kind::Array(Bounds(a, b), Some((low, high))) => {
            format!("array [{a}..{b}] of [{low}..{high}]")
        }
        Kind::Channel(capacity, low, high) => channel(capacity, low, high),
        Kind::Channels(Bounds(a, b), capacity, low, high) => {
            format!("array [{a}..{b}] of {}", channel(capacity, low, high))
        }
        Kind::List => "list of int".to_string(),
    }
}

/// What a variable is at first.
fn first(n: Var, variable: &Variable) -> Option<String> {
    let name = &variable.name;
    Some(match (&variable.kind, variable.first) {
        (Kind::List, None) => format!("{name} = nil"),
        (Kind::List, Some(v)) => format!("{name} = cons({v}, nil)"),
        (_, None) | (Kind::Channel(..) | Kind::Channels(..), _) => return None,
        (Kind::Bool, Some(0)) => format!("~{name}"),
        (Kind::Bool, Some(_)) => name.clone(),
        (Kind::Named(_), Some(v)) => format!("{name} = {}", named(n, v as usize)),
        (Kind::Array(..), Some(v)) => match variable.given? {
            Bounds(a, b) if a == b => format!("{name}[{a}] = {v}"),
            Bounds(a, b) => format!("(Forall i0:[{a}..{b}]. {name}[i0] = {v})"),
        },
        (_, Some(v)) => format!("{name} = {v}"),
    })
}

fn named(var: Var, value: usize) -> String {
    format!("v{var}k{value}")
}

/// Hundredths, with a nought at the end left out.
fn decimal(hundredths: i64) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.strip_suffix('0').map_or(text.clone(), str::to_string)
}

fn same(alike: bool, a: &str, b: &str) -> String {
    format!("({a} {} {b})", if alike { "=" } else { "!=" })
}

struct Printer<'a> {
    system: &'a System,
}

impl Printer<'_> {
    fn name(&self, var: Var) -> &str {
        &self.system.variables[var].name
    }

    fn thread(&self, at: usize) -> String {
        let thread = &self.system.threads[at];
        let mut next = 0;
        let body = self.statements(&thread.body, at, &mut next);
        let body = match thread.forever {
            true => format!("[ loop forever do [ {body} ] ]"),
            false => format!("[ {body}; {}: ]", label(at, next)),
        };
        let process = format!("P{at}");
        match thread.replicated {
            true => format!("||[i0:0..1] {process}[i0]:: {body}\n"),
            false => format!("{process}:: {body}\n"),
        }
    }

    fn statements(&self, all: &[Statement], thread: usize, next: &mut usize) -> String {
        let parts: Vec<String> = all
            .iter()
            .map(|s| {
                let label = label(thread, *next);
                *next += 1;
                format!("{label}: {}", self.statement(s, thread, next))
            })
            .collect();
        parts.join("; ")
    }

    fn statement(&self, s: &Statement, thread: usize, next: &mut usize) -> String {
        match s {
            Statement::If(c, then, otherwise) => {
                let then = self.statements(then, thread, next);
                let text = format!("if {} then [ {then} ]", self.test(c, 1));
                if otherwise.is_empty() {
                    return text;
                }
                format!("{text} else [ {} ]", self.statements(otherwise, thread, next))
            }
            Statement::While(c, body) => {
                format!("while {} do [ {} ]", self.test(c, 1), self.statements(body, thread, next))
            }
            Statement::Or(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|(c, s)| format!("when {} do {}", self.test(c, 1), self.plain(s)))
                    .collect();
                format!("[ {} ]", parts.join(" or "))
            }
            s => self.plain(s),
        }
    }

    /// A statement without labels inside.
    fn plain(&self, s: &Statement) -> String {
        let all = |body: &[Statement]| body.iter().map(|s| self.plain(s)).collect::<Vec<_>>().join("; ");
        match s {
            Statement::Skip => "skip".to_string(),
            Statement::Critical => "critical".to_string(),
            Statement::Noncritical => "noncritical".to_string(),
            Statement::Idle => "idle".to_string(),
            Statement::Assign(pairs) => self.assigned(pairs),
            Statement::Await(c) => format!("await {}", self.test(c, 1)),
            Statement::Choose(v) => format!("choose {}", self.name(*v)),
            Statement::Produce(v) => format!("produce {}", self.name(*v)),
            Statement::Consume(v) => format!("consume {}", self.name(*v)),
            Statement::Request(place) => format!("request {}", self.place(place)),
            Statement::Release(place) => format!("release {}", self.place(place)),
            Statement::Send(c, e) => format!("{} <= {}", self.channel(c, 1), self.num(e, 1)),
            Statement::Receive(c, place) => {
                format!("{} => {}", self.channel(c, 1), self.place(place))
            }
            Statement::If(c, then, otherwise) => {
                let text = format!("if {} then [ {} ]", self.test(c, 1), all(then));
                if otherwise.is_empty() { text } else { format!("{text} else [ {} ]", all(otherwise)) }
            }
            Statement::Group(body) => format!("< {} >", all(body)),
            Statement::While(..) | Statement::Or(_) => "skip".to_string(),
        }
    }

    fn assigned(&self, pairs: &[(Place, Value)]) -> String {
        let places: Vec<String> = pairs.iter().map(|(p, _)| self.place(p)).collect();
        let values: Vec<String> = pairs.iter().map(|(p, v)| self.value(p, v)).collect();
        match pairs.len() {
            1 if self.system.macros => format!("put({}, {})", places[0], values[0]),
            1 => format!("{} := {}", places[0], values[0]),
            _ => format!("({}) := ({})", places.join(", "), values.join(", ")),
        }
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Var(v) => self.name(*v).to_string(),
            Place::Element(v, at) => format!("{}[{}]", self.name(*v), self.num(at, 1)),
            Place::Record(name) => name.clone(),
        }
    }

    fn channel(&self, Chan(v, at): &Chan, depth: usize) -> String {
        match at {
            Some(at) => format!("{}[{}]", self.name(*v), self.num(at, depth)),
            None => self.name(*v).to_string(),
        }
    }

    fn seq(&self, l: &Seq, depth: usize) -> String {
        match l {
            Seq::Nil => "nil".to_string(),
            Seq::Var(v) => self.name(*v).to_string(),
            Seq::Cons(e, l) => format!("cons({}, {})", self.num(e, depth), self.seq(l, depth)),
            Seq::Append(l, e) => format!("append({}, {})", self.seq(l, depth), self.num(e, depth)),
            Seq::Tail(l) => format!("tail({})", self.seq(l, depth)),
        }
    }

    fn value(&self, place: &Place, value: &Value) -> String {
        match (place, value) {
            (_, Value::Num(e)) => self.num(e, 1),
            (_, Value::Test(t)) => self.test(t, 1),
            (Place::Var(v) | Place::Element(v, _), Value::Named(n)) => named(*v, *n),
            (Place::Record(_), Value::Named(n)) => n.to_string(),
            (_, Value::Array(v)) => self.name(*v).to_string(),
            (_, Value::List(l)) => self.seq(l, 1),
            (_, Value::Record(name)) => name.clone(),
        }
    }

    fn transition(&self, t: &Transition) -> String {
        let family = t.family.map_or_else(String::new, |n| format!(" [i0:[0..{}]]", n - 1));
        let fairness = match t.fairness {
            Fairness::Unfair => "NoFairness",
            Fairness::Just => "Just",
            Fairness::Compassionate => "Compassionate",
        };
        let cases: Vec<String> = t.cases.iter().map(|c| self.case(c)).collect();
        format!("Transition {}{family} {fairness}:\n  {}\n", t.name, cases.join("\n  or "))
    }

    fn case(&self, case: &Case) -> String {
        let mut parts = Vec::new();
        parts.extend(case.enable.iter().map(|t| format!("enable {}", self.test(t, 1))));
        if !case.assign.is_empty() {
            let each = case.assign.iter().map(|(p, v)| format!("{} := {}", self.place(p), self.value(p, v)));
            parts.push(format!("assign {}", each.collect::<Vec<_>>().join(", ")));
        }
        parts.extend(case.relation.iter().map(|t| format!("relation {}", self.test(t, 1))));
        parts.join(" ")
    }

    fn claim(&self, claim: &Claim, depth: usize) -> String {
        let t = |test: &Test| format!("({})", self.test(test, depth));
        match claim {
            Claim::Each(Bounds(low, high), claim) => {
                format!("Forall i{depth}:[{low}..{high}]. {}", self.claim(claim, depth + 1))
            }
            Claim::Always(p) => format!("[]{}", t(p)),
            Claim::First(p) => t(p),
            Claim::Waits(p, q) => {
                let waits: Vec<String> = q.iter().map(t).collect();
                format!("{} ==> {}", t(p), waits.join(" Awaits "))
            }
            Claim::Leads(p, q) => format!("{} ==> <>{}", t(p), t(q)),
            Claim::Comes(q) => format!("<>{}", t(q)),
            Claim::Next(p, q) => format!("[]({} --> (){})", t(p), t(q)),
            Claim::Past(p, past) => {
                let past = match past {
                    Past::Once(q) => format!("<->{}", t(q)),
                    Past::Always(q) => format!("[-]{}", t(q)),
                    Past::Before(q) => format!("(-){}", t(q)),
                    Past::WeakBefore(q) => format!("(~){}", t(q)),
                    Past::Since(a, b) => format!("({} Since {})", t(a), t(b)),
                    Past::BackTo(a, b) => format!("({} Backto {})", t(a), t(b)),
                };
                format!("[]({} --> {past})", t(p))
            }
        }
    }

    /// `depth` indices are bound already.
    fn num(&self, e: &Num, depth: usize) -> String {
        match e {
            Num::Lit(n) if *n < 0 => format!("({n})"),
            Num::Lit(n) => n.to_string(),
            Num::Var(v) => self.name(*v).to_string(),
            Num::Element(v, at) => format!("{}[{}]", self.name(*v), self.num(at, depth)),
            Num::Next(v) => format!("{}'", self.name(*v)),
            Num::Index(n) => format!("i{n}"),
            Num::Constant => "N".to_string(),
            Num::Length(channel) => format!("length({})", self.channel(channel, depth)),
            Num::Table(at) => format!("h({})", self.num(at, depth)),
            Num::Count(l) => format!("length({})", self.seq(l, depth)),
            Num::Head(l) => format!("head({})", self.seq(l, depth)),
            Num::Item(l, at) => format!("{}[{}]", self.seq(l, depth), self.num(at, depth)),
            // Where nothing is added to it, it would be a truth value.
            Num::Truth(t) => format!("({} + 0)", self.test(t, depth)),
            Num::Negate(a) => format!("(-{})", self.num(a, depth)),
            Num::Binary(op, a, b) => {
                let sign = match op {
                    Op::Add => "+",
                    Op::Subtract => "-",
                    Op::Multiply => "*",
                    Op::Div => "div",
                    Op::Mod => "mod",
                    Op::Over => "/",
                };
                format!("({} {sign} {})", self.num(a, depth), self.num(b, depth))
            }
            Num::If(c, a, b) => {
                let (c, a, b) = (self.test(c, depth), self.num(a, depth), self.num(b, depth));
                format!("(if {c} then {a} else {b})")
            }
            Num::Decimal(n) if *n < 0 => format!("(-{})", decimal(-n)),
            Num::Decimal(n) => decimal(*n),
            Num::Macro(1, 2) => "half".to_string(),
            Num::Macro(a, b) => format!("quot({a}, {b})"),
        }
    }

    fn test(&self, t: &Test, depth: usize) -> String {
        match t {
            Test::Lit(b) => b.to_string(),
            Test::Var(v) => self.name(*v).to_string(),
            Test::Next(v) => format!("{}'", self.name(*v)),
            Test::Named(v, n) => format!("{} = {}", self.name(*v), named(*v, *n)),
            Test::NextNamed(v, n) => format!("{}' = {}", self.name(*v), named(*v, *n)),
            Test::At(thread, location, at) => {
                let at = at.as_ref().map(|at| format!("[{}]", self.num(at, depth)));
                label(*thread, *location) + &at.unwrap_or_default()
            }
            Test::Arrays(alike, a, b) => same(*alike, self.name(*a), self.name(*b)),
            Test::Lists(alike, a, b) => same(*alike, &self.seq(a, depth), &self.seq(b, depth)),
            Test::Records(alike, a, b) => same(*alike, a, b),
            Test::Not(a) => format!("~({})", self.test(a, depth)),
            Test::Binary(op, a, b) => {
                let sign = match op {
                    Connective::And => "/\\",
                    Connective::Or => "\\/",
                    Connective::Implies => "-->",
                    Connective::Iff => "<-->",
                };
                format!("(({}) {sign} ({}))", self.test(a, depth), self.test(b, depth))
            }
            Test::Compare(relation, a, b) => {
                let sign = match relation {
                    Relation::Less => "<",
                    Relation::LessEqual => "<=",
                    Relation::Greater => ">",
                    Relation::GreaterEqual => ">=",
                    Relation::Equal => "=",
                    Relation::NotEqual => "!=",
                };
                format!("({} {sign} {})", self.num(a, depth), self.num(b, depth))
            }
            Test::Quantified(all, Bounds(low, high), body) => {
                let word = if *all { "Forall" } else { "Exists" };
                format!("({word} i{depth}:[{low}..{high}]. {})", self.test(body, depth + 1))
            }
        }
    }
}
