//! What the page may ask: a question as data, and the command line that asks it. Values stand
//! behind `=`, so that none is taken for an option.

use serde::Deserialize;

/// A question of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    command: Command,
    /// The file, by its path from the root.
    pub(crate) file: String,
    /// Its text, where the page has another than the disk.
    pub(crate) draft: Option<String>,
    /// Properties by name; all if there are none.
    #[serde(default)]
    property: Vec<String>,
    /// Formulas to be checked instead.
    #[serde(default)]
    ltl: Vec<String>,
    /// Definitions, `NAME=VALUE`.
    #[serde(default)]
    define: Vec<String>,
    #[serde(default)]
    options: Vec<Switch>,
    /// How something is proved.
    #[serde(default)]
    proof: Proof,
    /// The program of a file that has diagrams alone.
    pub(crate) program: Option<String>,
    /// A specification besides: a text that stands in no file.
    pub(crate) specification: Option<String>,
    /// A run whose steps are taken first, as text: its numbers are larger than those of JavaScript.
    pub(crate) guide: Option<String>,
    /// Lines for the simulator.
    #[serde(default)]
    pub(crate) orders: Vec<String>,
    seed: Option<u64>,
    /// The user has agreed that the program is executed.
    #[serde(default)]
    pub(crate) allow: bool,
}

/// Options of `weave prove`; what there is to choose from is known there.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof {
    #[serde(default)]
    engines: Vec<String>,
    solver: Option<String>,
    /// How long a condition may take.
    patience: Option<String>,
    /// The assertions of an abstraction.
    basis: Option<String>,
    derive: Option<Derive>,
}

/// Diagrams that are made, not read.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Derive {
    Auto,
    First,
}

impl Proof {
    fn arguments(&self) -> Vec<String> {
        let one = |name: &str, value: &String| format!("--{name}={value}");
        let derive = self.derive.map(|derive| match derive {
            Derive::Auto => "--diagram=auto".to_string(),
            Derive::First => "--diagram=first".to_string(),
        });
        let engines = self.engines.iter().map(|engine| one("engine", engine));
        let solver = self.solver.iter().map(|solver| one("solver", solver));
        let patience = self.patience.iter().map(|time| one("condition-timeout", time));
        let basis = self.basis.iter().map(|basis| one("abstract", basis));
        engines.chain(solver).chain(patience).chain(basis).chain(derive).collect()
    }
}

/// The commands that answer in JSON lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Command {
    Check,
    Prove,
    Run,
    Simulate,
}

/// Options without a value, or with one of few.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Switch {
    Shortest,
    KeepGoing,
    Certify,
    Symbolic,
    NoReduction,
    Raw,
    ReductionGraph,
    Auto,
    RulesOnly,
    Outline,
}

impl Command {
    fn name(self) -> &'static str {
        match self {
            Command::Check => "check",
            Command::Prove => "prove",
            Command::Run => "run",
            Command::Simulate => "simulate",
        }
    }
}

impl Switch {
    fn option(self) -> &'static str {
        match self {
            Switch::Shortest => "--search=bfs",
            Switch::KeepGoing => "--keep-going",
            Switch::Certify => "--certify",
            Switch::Symbolic => "--engine=symbolic",
            Switch::NoReduction => "--reduction=none",
            Switch::Raw => "--raw",
            Switch::ReductionGraph => "--explain-reduction=graph",
            Switch::Auto => "--auto",
            Switch::RulesOnly => "--rules-only",
            Switch::Outline => "--outline",
        }
    }
}

/// Where a job finds and leaves its files.
pub(crate) struct Files<'a> {
    /// A run to begin with.
    pub(crate) guide: Option<&'a str>,
    /// Where the run that was found is written.
    pub(crate) trace: &'a str,
    /// A specification besides.
    pub(crate) specification: Option<&'a str>,
    /// The program of a file that has diagrams alone.
    pub(crate) program: Option<&'a str>,
}

impl Ask {
    /// Whether this could execute a program, whatever the file on disk is.
    pub(crate) fn may_execute(&self) -> bool {
        self.command == Command::Run || self.draft.as_ref().is_some_and(|text| text.starts_with("#!"))
    }

    pub(crate) fn command(&self) -> &'static str {
        self.command.name()
    }

    /// The arguments of `weave`, limits among them.
    pub(crate) fn arguments(&self, files: &Files<'_>, limits: &[String]) -> Vec<String> {
        let mut all =
            vec![self.command().to_string(), "--json".to_string(), format!("--trace={}", files.trace)];
        all.extend(limits.iter().cloned());
        all.extend(self.options.iter().map(|o| o.option().to_string()));
        let with = |name: &str, values: &[String]| -> Vec<String> {
            values.iter().map(|value| format!("--{name}={value}")).collect()
        };
        all.extend(with("property", &self.property));
        all.extend(with("ltl", &self.ltl));
        all.extend(self.define.iter().map(|define| format!("-D{define}")));
        all.extend(self.seed.iter().map(|seed| format!("--seed={seed}")));
        if self.command == Command::Simulate {
            all.push("--interactive".to_string());
            all.extend(files.guide.iter().map(|guide| format!("--guide={guide}")));
        }
        // A name that begins as an option does is a name; a program is none of the search path.
        let bare = self.file.starts_with('-') || (self.command == Command::Run && !self.file.contains('/'));
        all.extend(self.proof.arguments());
        all.extend(files.program.map(str::to_string));
        all.push(if bare { format!("./{}", self.file) } else { self.file.clone() });
        all.extend(files.specification.map(str::to_string));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Vec<String> {
        let ask: Ask = serde_json::from_str(text).unwrap();
        let program = ask.program.as_ref().map(|_| "/t/p.spl");
        let specification = ask.specification.as_ref().map(|_| "/t/spec");
        let files = Files { guide: Some("/t/guide"), trace: "/t/trace", specification, program };
        ask.arguments(&files, &["--timeout=9s".to_string()])
    }

    #[test]
    fn a_question_becomes_a_command_line() {
        let check = r#"{"command":"check","file":"-a.pml","property":["--x"],"options":["shortest"]}"#;
        let expected = [
            "check",
            "--json",
            "--trace=/t/trace",
            "--timeout=9s",
            "--search=bfs",
            "--property=--x",
            "./-a.pml",
        ];
        assert_eq!(arguments(check), expected);
        let simulate = arguments(r#"{"command":"simulate","file":"a.pml","orders":["1"],"seed":3}"#);
        assert_eq!(simulate[4..], ["--seed=3", "--interactive", "--guide=/t/guide", "a.pml"]);
    }

    #[test]
    fn a_proof_is_asked_for_with_its_options() {
        let prove = r#"{"command":"prove","file":"a.diagram","program":"p.spl","specification":"PROOF p : WLPC",
            "options":["rules-only"],"proof":{"engines":["pdr"],"solver":"z3","patience":"2s","derive":"first"}}"#;
        let expected = [
            "--rules-only",
            "--engine=pdr",
            "--solver=z3",
            "--condition-timeout=2s",
            "--diagram=first",
            "/t/p.spl",
            "a.diagram",
            "/t/spec",
        ];
        assert_eq!(arguments(prove)[4..], expected);
    }

    #[test]
    fn other_commands_and_fields_are_refused() {
        for wrong in [
            r#"{"command":"cc","file":"a.c"}"#,
            r#"{"command":"check","file":"a.pml","trace":"/etc/x"}"#,
            r#"{"command":"check","file":"a.pml","options":["--trace=/etc/x"]}"#,
            r#"{"command":"check"}"#,
            r#"{"command":"prove","file":"a.spl","proof":{"export":"/etc/x"}}"#,
            r#"{"command":"prove","file":"a.spl","proof":{"derive":"/etc/x"}}"#,
        ] {
            assert!(serde_json::from_str::<Ask>(wrong).is_err(), "{wrong}");
        }
    }
}
