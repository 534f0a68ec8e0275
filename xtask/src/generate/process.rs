//! Processes: which are active, which are run by which, and which never end.
//!
//! A proctype runs only proctypes that were generated before it, so creation ends; in loops it is
//! guarded by `_nr_pr`.

use super::declare::{plain, type_of};
use super::features::Feature;
use super::scope::{Channel, Kind, Scope, Spot};
use super::{Generator, Landmark, Runnable, Site};
use crate::program::{Braces, Decl, Expr, Field, Init, Place, Process, Receive, Stmt, Type};

impl Generator {
    pub(super) fn processes(&mut self) {
        let mut processes = Vec::new();
        if self.may(Feature::Remote, 20) {
            processes.push(self.landmark());
        }
        for _ in 0..self.rng.weighted(&[(3, 0), (4, 1), (2, 2)]).unwrap_or(1) {
            if self.has(Feature::Run) {
                processes.push(self.runnable());
            }
        }
        let runs = !self.runnables.is_empty();
        for _ in 0..self.rng.between(if runs { 0 } else { 1 }, 2) {
            processes.push(self.active());
        }
        if runs || self.rng.chance(30) {
            processes.push(self.init(runs));
        }
        self.exclusive(&mut processes);
        self.false_exclusive(&mut processes);
        self.program.processes = processes;
    }

    /// The first process, pid 0: it never ends, so others may look at its variable and label.
    fn landmark(&mut self) -> Process {
        let name = self.fresh("Mark");
        let variable = self.fresh("m");
        let label = self.fresh("here");
        let mut site = Site { labels: Vec::new(), ..self.site(&name) };
        site.scope.spots.push(Spot::scalar(&variable, Type::Byte));
        self.budget = 6;
        let mut body = vec![Stmt::Declare(plain(Type::Byte, &variable))];
        body.extend(self.sequence(&mut site, 2));
        let mut next = self.statement(&mut site);
        if matches!(next, Stmt::Declare(_)) {
            body.push(std::mem::replace(&mut next, Stmt::Skip));
        }
        body.push(Stmt::Label(label.clone(), Box::new(labelled(next))));
        body.extend(self.sequence(&mut site, 2));
        let end = self.fresh("end");
        body.push(Stmt::Label(end, Box::new(Stmt::Guard(Expr::word("false")))));
        self.landmark = Some(Landmark { process: name.clone(), pid: 0, variable, label });
        Process { name, active: 1, parameters: Vec::new(), priority: None, provided: None, body }
    }

    fn runnable(&mut self) -> Process {
        let name = self.fresh("P");
        let parameters: Vec<Kind> = (0..self.rng.between(0, 2)).map(|_| self.parameter_kind()).collect();
        let process = self.proctype(&name, 0, &parameters);
        self.runnables.push(Runnable { name, parameters });
        process
    }

    fn parameter_kind(&mut self) -> Kind {
        let signatures: Vec<_> =
            self.global.channels.iter().map(|channel| channel.signature.clone()).collect();
        match self.rng.pick(&signatures) {
            Some(signature) if self.rng.chance(50) && self.features.has(Feature::ChannelParameters) => {
                Kind::Channel(signature.clone())
            }
            _ => match self.scalar_type() {
                Type::Unsigned(_) => Kind::Scalar(Type::Short),
                ty => Kind::Scalar(ty),
            },
        }
    }

    fn active(&mut self) -> Process {
        let name = self.fresh("A");
        let parameters = if self.rng.chance(8) { vec![Kind::Scalar(Type::Byte)] } else { Vec::new() };
        let instances = self.rng.weighted(&[(6, 1), (3, 2), (1, 3)]).unwrap_or(1);
        self.proctype(&name, instances, &parameters)
    }

    fn proctype(&mut self, name: &str, active: u32, parameters: &[Kind]) -> Process {
        let mut site = self.site(name);
        let mut declared = Vec::new();
        for kind in parameters {
            declared.push(self.parameter(kind, &mut site.scope));
        }
        let provided = self.may(Feature::Provided, 8).then(|| {
            let global = self.global.clone();
            self.condition(&global, 1)
        });
        let priority = self.may(Feature::Priorities, 50).then(|| self.rng.between(1, 3) as u32);
        let body = self.body(&mut site, name == "init");
        Process { name: name.to_owned(), active, parameters: declared, priority, provided, body }
    }

    fn parameter(&mut self, kind: &Kind, scope: &mut Scope) -> Decl {
        let name = self.fresh("p");
        match kind {
            Kind::Channel(signature) => scope.channels.push(Channel {
                name: name.clone(),
                size: None,
                signature: signature.clone(),
                global: false,
                variable: false,
                exclusive: false,
            }),
            kind => scope.spots.push(Spot::scalar(&name, type_of(kind))),
        }
        plain(type_of(kind), &name)
    }

    fn site(&mut self, process: &str) -> Site {
        let labels: Vec<String> = match self.may(Feature::Goto, 45) {
            true => (0..self.rng.between(1, 2)).map(|_| self.fresh("L")).collect(),
            false => Vec::new(),
        };
        Site {
            scope: self.global.clone(),
            atomic: false,
            d_step: false,
            in_loop: false,
            // A goto may go back; a proctype may be run again.
            repeated: !labels.is_empty(),
            labels,
            inline: false,
            depth: 0,
            process: process.to_owned(),
        }
    }

    fn body(&mut self, site: &mut Site, init: bool) -> Vec<Stmt> {
        let mut body = self.locals(site);
        self.budget = self.rng.between(4, 12) as usize;
        if init {
            body.extend(self.births(site));
        }
        let mut steps = Vec::new();
        for _ in 0..self.rng.between(1, 4) {
            let step = self.statement(site);
            // A process that waits first of all often waits forever: most bodies begin with
            // something else.
            let waits = matches!(step, Stmt::Guard(_) | Stmt::Send(..) | Stmt::Receive(..));
            if steps.is_empty() && waits && self.rng.chance(60) {
                steps.push(self.statement(site));
            }
            steps.push(step);
        }
        if self.may(Feature::Dynamic, if init { 35 } else { 8 }) && self.has(Feature::Population) {
            steps.extend(self.nursery(site));
        }
        self.place_labels(site, &mut steps);
        body.extend(steps);
        body
    }

    /// What stands at the start of a body: these initialisers are no statements.
    fn locals(&mut self, site: &mut Site) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..self.rng.between(0, 2) {
            let mut declaration = self.variable("v", false);
            let plain = declaration.size.is_none() && matches!(declaration.init, Init::Value(_));
            if plain && !matches!(declaration.ty, Type::Mtype(_)) && self.rng.chance(40) {
                // SPIN refuses constants that do not fit here.
                let value = self.number(&site.scope, 1);
                if !matches!(value, Expr::Number(_)) {
                    declaration.init = Init::Value(value);
                }
            }
            let mut scope = std::mem::take(&mut site.scope);
            self.enter(&declaration, &mut scope);
            site.scope = scope;
            body.push(Stmt::Declare(declaration));
        }
        body.extend(self.loop_counter(site));
        body.extend(self.local_channel(site));
        body.extend(self.channel_variable(site));
        body
    }

    /// A variable that only `for` writes.
    fn loop_counter(&mut self, site: &mut Site) -> Option<Stmt> {
        if !self.may(Feature::For, 50) {
            return None;
        }
        let name = self.fresh("i");
        site.scope.spots.push(Spot { writable: false, ..Spot::scalar(&name, Type::Byte) });
        Some(Stmt::Declare(plain(Type::Byte, &name)))
    }

    fn local_channel(&mut self, site: &mut Site) -> Option<Stmt> {
        if !self.may(Feature::LocalChannels, 12) {
            return None;
        }
        let known: Vec<_> = self.global.channels.iter().map(|channel| channel.signature.clone()).collect();
        let signature = match self.rng.pick(&known).cloned() {
            Some(signature) if self.rng.chance(60) => signature,
            _ => self.signature()?,
        };
        let name = self.fresh("l");
        let declaration = self.channel(&name, None, &signature);
        site.scope.channels.push(Channel {
            name,
            size: None,
            signature,
            global: false,
            variable: false,
            exclusive: false,
        });
        Some(Stmt::Declare(declaration))
    }

    /// A `chan` variable that starts as some global channel.
    fn channel_variable(&mut self, site: &mut Site) -> Option<Stmt> {
        if !self.has(Feature::Aliases) && !self.may(Feature::ChannelMessages, 20) {
            return None;
        }
        let channel = self.some_channel(&self.global.clone(), |_| true)?;
        let name = self.fresh("k");
        let init = Init::Value(Expr::Read(self.channel_place(&Scope::default(), &channel)));
        site.scope.channels.push(Channel {
            name: name.clone(),
            size: None,
            signature: channel.signature,
            global: false,
            variable: true,
            exclusive: false,
        });
        Some(Stmt::Declare(Decl { init, ..plain(Type::Chan, &name) }))
    }

    fn init(&mut self, runs: bool) -> Process {
        let mut process = self.proctype("init", 1, &[]);
        process.provided = None;
        if !runs {
            process.priority = None;
        }
        process
    }

    /// The runs with which init begins, often in one atomic step.
    fn births(&mut self, site: &Site) -> Vec<Stmt> {
        let count = self.rng.between(1, 2);
        let runs: Vec<Stmt> = (0..count).filter_map(|_| self.run(site)).collect();
        if !runs.is_empty() && self.may(Feature::Atomic, 40) {
            vec![Stmt::Block(Braces::Atomic, runs)]
        } else {
            runs
        }
    }

    /// A loop that creates processes as long as few are alive.
    fn nursery(&mut self, site: &mut Site) -> Option<Stmt> {
        let run = self.run(site)?;
        let few = Expr::binary("<", Expr::word("_nr_pr"), Expr::Number(self.rng.between(3, 4)));
        let mut options = vec![vec![Stmt::Guard(few), run]];
        if self.rng.chance(60) {
            options.push(vec![Stmt::Guard(self.condition(&site.scope, 1)), Stmt::Break]);
        }
        Some(Stmt::Do(options))
    }

    /// Puts the labels that gotos may name, and perhaps an end label, on statements of the body.
    fn place_labels(&mut self, site: &Site, steps: &mut Vec<Stmt>) {
        let mut names = site.labels.clone();
        if self.may(Feature::EndLabels, 25) {
            names.push(self.fresh("end"));
        }
        if steps.iter().all(|step| matches!(step, Stmt::Declare(_))) {
            steps.push(Stmt::Skip);
        }
        for name in names {
            let candidates: Vec<usize> =
                (0..steps.len()).filter(|&at| !matches!(steps[at], Stmt::Declare(_))).collect();
            let Some(&at) = self.rng.pick(&candidates) else {
                continue;
            };
            let statement = std::mem::replace(&mut steps[at], Stmt::Skip);
            steps[at] = Stmt::Label(name, Box::new(labelled(statement)));
        }
    }

    /// Promises of exclusive use that no process keeps to.
    fn false_exclusive(&mut self, processes: &mut [Process]) {
        if !self.has(Feature::FalseExclusive) {
            return;
        }
        let single: Vec<String> =
            self.global.channels.iter().filter(|c| c.size.is_none()).map(|c| c.name.clone()).collect();
        for process in processes.iter_mut().filter(|p| p.active > 0) {
            for kind in ["xr", "xs"] {
                if let Some(name) = self.rng.pick(&single).filter(|_| self.rng.chance(40)) {
                    process.body.insert(0, Stmt::Exclusive(kind, name.clone()));
                }
            }
        }
    }

    /// One channel with one sender and one receiver that declare it.
    fn exclusive(&mut self, processes: &mut [Process]) {
        let single: Vec<usize> = (0..processes.len())
            .filter(|&at| processes[at].active == 1 && !processes[at].name.starts_with("Mark"))
            .collect();
        let [sender, receiver, ..] = single[..] else {
            return;
        };
        if processes.iter().any(uses_else) || !self.may(Feature::Exclusive, 50) {
            return;
        }
        let name = self.fresh("x");
        self.program
            .globals
            .push(Decl { init: Init::Channel(1, vec![Type::Bit]), ..plain(Type::Chan, &name) });
        let place = Place::name(&name);
        let send = Stmt::Send(place.clone(), false, vec![Expr::Number(1)], false);
        let form = Receive { random: false, copy: false };
        let receive = Stmt::Receive(place, form, vec![Field::Ignore]);
        processes[sender].body.insert(0, Stmt::Exclusive("xs", name.clone()));
        processes[sender].body.push(send);
        processes[receiver].body.insert(0, Stmt::Exclusive("xr", name));
        processes[receiver].body.push(receive);
    }
}

/// SPIN takes no label in front of a declaration, refuses gotos to a d_step ("jump into d_step")
/// and misreads `L: a unless b`.
fn labelled(statement: Stmt) -> Stmt {
    match statement {
        Stmt::Goto(_) | Stmt::Break | Stmt::Declare(_) => Stmt::Guard(Expr::word("true")),
        wrapped @ (Stmt::Unless(..) | Stmt::Block(Braces::DStep, _)) => {
            Stmt::Block(Braces::Plain, vec![wrapped])
        }
        other => other,
    }
}

/// Does an else stand anywhere in the process? SPIN refuses it beside i/o as soon as the model has
/// xr or xs.
fn uses_else(process: &Process) -> bool {
    format!("{process}").contains("else")
}
