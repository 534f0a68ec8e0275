//! `xtask fuzz-programs`: random C programs of threads, whose outcomes, deadlocks and data races as
//! `weave run` finds them are compared with those that a brute-force interpreter finds.
//! Contradictions are shrunk and saved.

use crate::seeds;
use crate::threaded::ask::{Judgement, Known, Question, Subject, judge, known};
use crate::threaded::{Mode, Program, Stmt, generate, shrink::shrink};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::{fs, io};

/// What to do.
pub struct FuzzPrograms {
    pub seeds: Range<u64>,
    pub weave: PathBuf,
    pub jobs: usize,
    pub out: Option<PathBuf>,
    /// Questions to ask while shrinking a contradiction.
    pub patience: usize,
}

#[derive(Debug, Default)]
pub struct Summary {
    pub programs: u64,
    pub comparisons: u64,
    counts: BTreeMap<String, u64>,
    /// Programs that have a construct.
    constructs: BTreeMap<String, u64>,
    pub wrong: Vec<u64>,
}

/// Orders of steps that a program may have at most, also if every one is to be executed.
const ORDERS: f64 = 20_000.0;
const ALL_ORDERS: f64 = 600.0;

/// The program of a seed, as large as can be compared, and what is known of it.
pub fn subject(seed: u64) -> (Program, Known) {
    let sizes = (1..=12).rev().map(|size| generate::program(seed, size));
    let mut fitting = sizes.filter_map(|program| known(&program, ORDERS).map(|known| (program, known)));
    fitting.next().unwrap_or_else(|| {
        let empty = Program { threads: vec![Vec::new()], ..Program::default() };
        let known = known(&empty, ORDERS).expect("an empty program has one state");
        (empty, known)
    })
}

/// What is asked of a program: reductions in turn, and now and then from source.
fn questions(seed: u64, known: &Known) -> Vec<Question> {
    let mut questions = vec![Question::Outcomes("dpor"), Question::Races];
    let few = known.coarse.orders <= ALL_ORDERS;
    match seed % 10 {
        0 => questions.push(Question::Source),
        3 if few => questions.push(Question::Outcomes("none")),
        5 if few => questions.push(Question::Outcomes("sleep")),
        7 if few => questions.push(Question::Outcomes("persistent")),
        9 if few => questions.push(Question::Outcomes("persistent+sleep")),
        _ => {}
    }
    questions
}

impl FuzzPrograms {
    /// Compares every seed; prints contradictions as they are found.
    pub fn run(&self) -> io::Result<Summary> {
        let summary = Mutex::new(Summary::default());
        seeds::each(self.seeds.clone(), self.jobs, |seed| self.work(seed, &summary))?;
        Ok(summary.into_inner().unwrap_or_default())
    }

    fn work(&self, seed: u64, summary: &Mutex<Summary>) -> io::Result<()> {
        let (program, known) = subject(seed);
        let judgements = self.judgements(&program, &known, &questions(seed, &known))?;
        for (question, judgement) in &judgements {
            if let Judgement::Contradiction(message) = judgement {
                self.report(seed, &program, *question, message)?;
            }
        }
        let mut summary = summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        summary.note(seed, &program, &judgements);
        Ok(())
    }

    fn judgements(
        &self,
        program: &Program,
        known: &Known,
        questions: &[Question],
    ) -> io::Result<Vec<(Question, Judgement)>> {
        let subject = match Subject::new(program, &self.weave)? {
            Ok(subject) => subject,
            Err(failed) => return Ok(vec![(questions[0], Judgement::Contradiction(failed.to_string()))]),
        };
        let answers = questions.iter().map(|question| {
            let answer = subject.ask(&self.weave, *question)?;
            Ok((*question, judge(*question, known, &answer)))
        });
        answers.collect()
    }

    /// Shrinks, prints and saves a contradiction.
    fn report(&self, seed: u64, program: &Program, question: Question, message: &str) -> io::Result<()> {
        println!("seed {seed}, {question:?}: {message}");
        let sort = sort(message);
        let contradicts = |candidate: &Program| {
            let known = known(candidate, ORDERS)?;
            let judgements = self.judgements(candidate, &known, &[question]).ok()?;
            match judgements.into_iter().next() {
                Some((_, Judgement::Contradiction(message))) => Some((known, message)),
                _ => None,
            }
        };
        let still = |candidate: &Program| contradicts(candidate).is_some_and(|(_, m)| self::sort(&m) == sort);
        let small = shrink(program, self.patience, still);
        let Some((known, message)) = contradicts(&small) else {
            println!("seed {seed}: not seen again");
            return self.save(seed, question, &format!("/* {message}; not seen again */\n{program}"));
        };
        let text = format!("{}{small}", head(seed, question, &known, &message));
        println!("{text}");
        self.save(seed, question, &text)
    }

    fn save(&self, seed: u64, question: Question, text: &str) -> io::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        fs::create_dir_all(out)?;
        let kind = format!("{question:?}").to_lowercase();
        let kind: String = kind.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
        fs::write(out.join(format!("program_{seed}_{kind}.c")), text)
    }
}

/// The sort of a contradiction: its message without the details.
fn sort(message: &str) -> String {
    let words: Vec<&str> = message.split(':').next().unwrap_or("").split(' ').collect();
    words
        .into_iter()
        .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn head(seed: u64, question: Question, known: &Known, message: &str) -> String {
    let outcomes: Vec<&str> = known.fine.outcomes.iter().map(String::as_str).collect();
    let asked = match question {
        Question::Outcomes(reduction) => format!(
            "weave cc -O0 -g -o p p.c; weave run --keep-going --races list --reduction {reduction} ./p"
        ),
        Question::Source => "weave run --keep-going --races list --cflags -O0 p.c".to_owned(),
        Question::Races => {
            "weave cc -O0 -g -o p p.c; weave run --keep-going --races error ./p -- quiet".to_owned()
        }
    };
    format!(
        "/* seed {seed}: {message}\n   {asked}\n   true: outcomes {}; deadlock {}; race {:?}\n*/\n",
        outcomes.join(" "),
        known.fine.deadlock,
        known.race,
    )
}

impl Summary {
    fn note(&mut self, seed: u64, program: &Program, judgements: &[(Question, Judgement)]) {
        self.programs += 1;
        for construct in constructs(program) {
            *self.constructs.entry(construct).or_default() += 1;
        }
        for (question, judgement) in judgements {
            self.comparisons += 1;
            let label = match judgement {
                Judgement::Agreed => "agreed".to_owned(),
                Judgement::Open(why) => why.clone(),
                Judgement::Contradiction(_) => "CONTRADICTION".to_owned(),
            };
            let what = match question {
                Question::Outcomes(reduction) => *reduction,
                Question::Source => "source",
                Question::Races => "races",
            };
            *self.counts.entry(format!("{what}: {label}")).or_default() += 1;
        }
        if judgements.iter().any(|(_, judgement)| matches!(judgement, Judgement::Contradiction(_))) {
            self.wrong.push(seed);
        }
    }

    pub fn print(&self) {
        let (programs, comparisons, wrong) = (self.programs, self.comparisons, self.wrong.len());
        println!("{programs} programs, {comparisons} comparisons, {wrong} programs contradict");
        self.counts.iter().for_each(|(label, count)| println!("{count:6} {label}"));
        let constructs = self.constructs.iter().map(|(name, count)| format!("{name} {count}"));
        println!("programs with: {}", constructs.collect::<Vec<_>>().join(", "));
        if !self.wrong.is_empty() {
            println!("seeds that contradict: {:?}", self.wrong);
        }
    }
}

/// The constructs of a program, each once.
fn constructs(program: &Program) -> Vec<String> {
    let mut names = vec![format!("{} threads", program.threads.len())];
    for object in &program.objects {
        names.push(word(&format!("{:?}", object.shape)));
        names.push(word(&format!("{:?}", object.storage)));
    }
    program.visit(&mut |statement| {
        names.push(word(&format!("{statement:?}")));
        match statement {
            Stmt::Load { mode, .. } | Stmt::Store { mode, .. } | Stmt::Look { mode, .. } => {
                names.push(match mode {
                    Mode::Atomic(order) => format!("{order:?}"),
                    other => format!("{other:?}"),
                })
            }
            Stmt::Locked { lock, .. } | Stmt::Try { lock, .. } => {
                names.push(format!("{:?}", program.locks[*lock]));
            }
            _ => {}
        }
    });
    names.sort_unstable();
    names.dedup();
    names
}

/// What a debug text begins with: the name of the variant.
fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric()).collect()
}
