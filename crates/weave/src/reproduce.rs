//! The `reproduce:` line: the command that gives the same answer again.

use crate::cli::{CheckArgs, EngineArg, LtlArgs, ProveArgs, Search, SimulateArgs, SolverArg};
use crate::shell::quote;
use clap::ValueEnum;
use std::path::Path;
use workbench::Define;

pub(crate) fn check(args: &CheckArgs) -> String {
    let mut words = Words::new("check");
    words.option("--search", (args.search == Search::Bfs).then(|| "bfs".to_string()));
    words.flag("--raw", args.raw);
    words.flag("--keep-going", args.keep_going);
    for name in &args.property {
        words.option("--property", Some(name.clone()));
    }
    for formula in &args.ltl {
        words.option("--ltl", Some(formula.clone()));
    }
    let fairness = args.fairness.and_then(|f| f.to_possible_value());
    words.option("--fairness", fairness.map(|value| value.get_name().to_string()));
    words.option("--engine", (args.engine == EngineArg::Symbolic).then(|| "symbolic".to_string()));
    for invariant in &args.invariant {
        words.option("--invariant", Some(invariant.clone()));
    }
    words.option("--reduction", args.reduction.clone());
    words.option("--persistent-sets", args.persistent_sets.clone());
    words.option("--relation", args.relation.clone());
    words.option("--proviso", args.proviso.clone());
    if let Some(at) = &args.explain_reduction {
        words.flag(&quote(&format!("--explain-reduction={at}")), true);
    }
    match args.audit {
        Some(Some(states)) => words.flag(&format!("--audit={states}"), true),
        audit => words.flag("--audit", audit.is_some()),
    }
    words.option("--store", args.store.clone());
    words.option("--max-states", args.limits.max_states.map(|n| n.to_string()));
    words.option("--max-depth", args.limits.max_depth.map(|n| n.to_string()));
    words.option("--max-memory", args.limits.max_memory.map(workbench::verdict::size));
    words.option("--timeout", args.limits.timeout.map(|t| format!("{}s", t.as_secs_f64())));
    words.option("--seed", args.seed.map(|n| n.to_string()));
    words.option("--threads", args.threads.map(|n| n.to_string()));
    words.flag("--cross-check", args.shapes.cross_check);
    words
        .option("--join", args.shapes.join.and_then(|j| Some(j.to_possible_value()?.get_name().to_string())));
    words.option("--individuals", args.shapes.individuals.map(|n| n.to_string()));
    words.flag("--no-population-fairness", args.shapes.no_population_fairness);
    words.option("--races", args.shapes.races.clone());
    words.flag("--spurious-wakeups", args.shapes.spurious_wakeups);
    words.flag("--interrupts", args.shapes.interrupts);
    words.model(&args.model.file, &args.model.defines)
}

pub(crate) fn prove(args: &ProveArgs) -> String {
    let mut words = Words::new("prove");
    for name in &args.property {
        words.option("--property", Some(name.clone()));
    }
    for formula in &args.ltl {
        words.option("--ltl", Some(formula.clone()));
    }
    words.flag("--auto", args.auto);
    words.flag("--rules-only", args.rules_only);
    let solver = args.solver.to_possible_value().filter(|_| args.solver != SolverArg::Any);
    words.option("--solver", solver.map(|value| value.get_name().to_string()));
    words.option("--max-memory", args.bounds.max_memory.map(workbench::verdict::size));
    words.option("--timeout", args.bounds.timeout.map(|t| format!("{}s", t.as_secs_f64())));
    words.option("--condition-timeout", args.condition_timeout.map(|t| format!("{}s", t.as_secs_f64())));
    let (last, first) = args.files.split_last().map_or((None, &[][..]), |(l, f)| (Some(l), f));
    first.iter().for_each(|file| words.file(file));
    words.model(last.map_or(Path::new(""), |file| file), &[])
}

pub(crate) fn simulate(args: &SimulateArgs, steps: usize) -> String {
    let mut words = Words::new("simulate");
    words.option("--guide", args.guide.as_ref().map(|g| g.to_string_lossy().into_owned()));
    words.option("--seed", Some(args.seed.to_string()));
    words.option("--steps", Some(steps.to_string()));
    words.option("--cflags", args.cflags.clone());
    let mut command = words.model(&args.model.file, &args.model.defines);
    if !args.arguments.is_empty() {
        let arguments = args.arguments.iter().map(|a| quote(&a.to_string_lossy()));
        command = format!("{command} -- {}", arguments.collect::<Vec<_>>().join(" "));
    }
    command
}

pub(crate) fn ltl(args: &LtlArgs) -> String {
    let mut words = Words::new("ltl");
    for claim in &args.claims {
        words.option("--is", Some(claim.name().to_string()));
    }
    words.option("--syntax", args.syntax.map(|syntax| syntax.syntax().name().to_string()));
    words.option("--equivalent", args.equivalent.clone());
    words.0.push(quote(&args.formula));
    words.0.join(" ")
}

struct Words(Vec<String>);

impl Words {
    fn new(command: &str) -> Words {
        Words(vec!["weave".to_string(), command.to_string()])
    }

    fn flag(&mut self, name: &str, given: bool) {
        if given {
            self.0.push(name.to_string());
        }
    }

    fn option(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value {
            match value.starts_with('-') {
                true => self.0.push(format!("{name}={}", quote(&value))),
                false => self.0.extend([name.to_string(), quote(&value)]),
            }
        }
    }

    fn model(mut self, file: &Path, defines: &[Define]) -> String {
        for define in defines {
            self.option("-D", Some(define.text()));
        }
        self.file(file);
        self.0.join(" ")
    }

    /// A name that looks like an option is written so that it does not.
    fn file(&mut self, file: &Path) {
        let name = file.to_string_lossy();
        let plain = if name.starts_with('-') { format!("./{name}") } else { name.into_owned() };
        self.0.push(quote(&plain));
    }
}
