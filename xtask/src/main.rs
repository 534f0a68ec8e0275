//! Automation: `cargo xtask COMMAND`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use clap::{Args, Parser, Subcommand};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{io, process::ExitCode, sync::Arc, time::Duration, time::SystemTime};
use xtask::dist::Dist;
use xtask::fuzz::Fuzz;
use xtask::fuzz_engines::FuzzEngines;
use xtask::fuzz_java::FuzzJava;
use xtask::fuzz_programs::FuzzPrograms;
use xtask::fuzz_reduction::FuzzReduction;
use xtask::generate::{self, features::Features};
use xtask::java::answer::Asked;
use xtask::proofs::FuzzProve;
use xtask::soak::{Soak, Table};
use xtask::spin::cache::Cache;
use xtask::suite::Half;
use xtask::table::{self, Row};
use xtask::weave::Weave;
use xtask::{bench, cache, levels, ltl, oracle, programs, reduction, shapes, solve, tidy, words};

#[derive(Parser)]
#[command(about = "Automation of the workspace")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compare weave with SPIN on random programs
    FuzzSpin(FuzzSpin),
    /// Compare weave with SPIN on random programs with random formulas
    FuzzLtl {
        #[arg(long, default_value_t = 100)]
        count: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The weave binary; the default is built first
        #[arg(long)]
        weave: Option<PathBuf>,
        /// How many smaller programs to try per difference
        #[arg(long, default_value_t = 300)]
        patience: usize,
    },
    /// Compare weave with the JVM and with a brute-force interpreter on random Java programs
    FuzzJava(FuzzJavaArgs),
    /// Let weave audit its reductions on random programs
    FuzzReduction(FuzzReductionArgs),
    /// Ask every engine for models about random programs
    FuzzEngines(FuzzEnginesArgs),
    /// Compare weave with a brute-force interpreter on random C programs of threads
    FuzzPrograms(FuzzProgramsArgs),
    /// Prove and search random small systems, and compare with an evaluator of our own
    FuzzProve {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 100)]
        count: u64,
        #[arg(long, default_value_t = 1)]
        jobs: usize,
        /// The weave binary; the default is built first
        #[arg(long)]
        weave: Option<PathBuf>,
        /// Where systems go that are answered wrongly
        #[arg(long, default_value = "target/fuzz-prove")]
        out: PathBuf,
    },
    /// Compare weave with SPIN's exact counts on its published models
    Oracle(Published),
    /// Compare weave's speed with its peers'
    Bench {
        #[command(subcommand)]
        suite: Suite,
    },
    /// Compare the embedded solver with z3 on random conditions, and with what a folder of
    /// conditions promises
    Solve {
        /// A folder of SMT-LIB files that say their status, or a tar.gz with one
        #[arg(long)]
        conditions: Option<PathBuf>,
        /// How many random conditions of each theory
        #[arg(long, default_value_t = 600)]
        count: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Run every generator of random subjects in turn, with fresh seeds
    Soak(SoakArgs),
    /// Look at the files for what no compiler checks
    Tidy,
    /// Make what users are given: an archive, a Debian package, their checksums
    Dist {
        /// Where they go
        #[arg(long, default_value = "target/dist-archives")]
        out: PathBuf,
        /// The weave binary; the default is built first, linked statically
        #[arg(long)]
        weave: Option<PathBuf>,
    },
    /// List every text that a user can see, and write the list that is committed
    Words {
        /// Where the list goes
        #[arg(long, default_value = "xtask/words.txt")]
        list: PathBuf,
        /// Only texts with this in them are printed, with their places; nothing is written
        #[arg(long)]
        find: Option<String>,
    },
    /// Print the random program of a seed
    Generate {
        #[arg(long)]
        seed: u64,
        /// As for fuzz-spin
        #[arg(long, default_value = "", value_parser = features)]
        features: (String, Features),
    },
}

#[derive(Subcommand)]
enum Suite {
    /// Structures a second, beside the original 3VMC
    Shapes,
    /// Figure 8.3 of the thesis: state-space caching
    Cache(Curves),
    /// Beside pan, on models with more than 100,000 states
    Promela(Published),
    /// Beside SPIN on scaled models: full and default search, end to end, memory, threads; writes
    /// the tables of docs/performance.md
    Speed(SpeedArgs),
    /// Breadth-first search by one thread and by all, on models with more than 100,000 states
    Threads(Published),
    /// Beside SPIN, ltl2ba and ltl3ba, on public sets of formulas
    Ltl(Formulas),
    /// Partial-order reduction beside SPIN's; Table 8.1 of the thesis; philosophers in growing
    /// numbers
    Reduction(ReductionArgs),
    /// Real programs: Figure 4 of the VeriSoft paper, complete runs, runs a second beside the bare
    /// floor and McMini
    Programs(Philosophers),
    /// How much of a folder of programs `weave prove` decides, and whether it is right
    Proofs(ProofsArgs),
}

#[derive(Args)]
struct ProofsArgs {
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
    /// The programs, each with the truth in its head
    #[arg(long, default_value = "bench/proofs")]
    folder: PathBuf,
    /// Only every other file: the odd ones
    #[arg(long, conflicts_with = "even")]
    odd: bool,
    /// Only every other file: the even ones
    #[arg(long)]
    even: bool,
    /// Seconds for each file
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Instead, what `weave check` decides within a second, beside `weave prove` within three
    #[arg(long)]
    beside_check: bool,
}

impl ProofsArgs {
    fn bench(self) -> io::Result<bool> {
        let weave = self.weave.map_or_else(xtask::weave::build, Ok)?;
        let half = match (self.odd, self.even) {
            (true, _) => Half::Odd,
            (_, true) => Half::Even,
            _ => Half::All,
        };
        let timeout = Duration::from_secs(self.seconds);
        let suite = xtask::suite::Suite { weave, folder: self.folder, half, timeout };
        if self.beside_check { suite.beside_check() } else { suite.run() }
    }
}

#[derive(Args)]
struct Curves {
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
    /// Where the plot goes
    #[arg(long, default_value = "bench/cache.svg")]
    plot: PathBuf,
}

impl Curves {
    fn bench(self) -> io::Result<bool> {
        let binary = self.weave.map_or_else(xtask::weave::build, Ok)?;
        cache::bench(Path::new("models/promela"), &Weave::new(&binary), &self.plot)
    }
}

#[derive(Args)]
struct SpeedArgs {
    /// The Examples folder of the public SPIN repository; without it, our own corpus alone
    #[arg(long)]
    models: Option<PathBuf>,
    /// The folder of the BEEM models in Promela (`tests/beem/all` of the public repository
    /// utwente-fmt/spins)
    #[arg(long)]
    beem: Option<PathBuf>,
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
    /// How often each command is run
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Only models whose name has this in it
    #[arg(long, default_value = "")]
    only: String,
    /// Where the tables go
    #[arg(long, default_value = "docs/performance.md")]
    page: PathBuf,
    /// Where the plot goes
    #[arg(long, default_value = "docs/pictures/speed.svg")]
    picture: PathBuf,
    /// Begin no round that would not end within this many minutes
    #[arg(long, default_value_t = 14)]
    minutes: u64,
}

impl SpeedArgs {
    fn bench(self) -> io::Result<bool> {
        let binary = self.weave.map_or_else(xtask::weave::build, Ok)?;
        let weave = &Weave::new(&binary);
        let (public, only, page) = (self.models.as_deref(), self.only.as_str(), self.page.as_path());
        let (picture, budget) = (self.picture.as_path(), Duration::from_secs(60 * self.minutes));
        xtask::speed::Bench {
            weave,
            public,
            beem: self.beem.as_deref(),
            rounds: self.rounds,
            only,
            page,
            picture,
            budget,
        }
        .run()
    }
}

#[derive(Args)]
struct Philosophers {
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
    /// Up to this many philosophers
    #[arg(long, default_value_t = 5)]
    most: usize,
    /// The mcmini binary, to compare with
    #[arg(long)]
    mcmini: Option<PathBuf>,
    /// Where the plot of Figure 4 goes
    #[arg(long, default_value = "bench/figure4.svg")]
    svg: PathBuf,
    /// Only runs a second
    #[arg(long)]
    rates_only: bool,
}

impl Philosophers {
    fn bench(self) -> io::Result<bool> {
        let weave = self.weave.map_or_else(xtask::weave::build, Ok)?;
        let Philosophers { most, mcmini, svg, rates_only, .. } = self;
        programs::Bench { weave, most, mcmini, svg, rates_only }.run()
    }
}

#[derive(Args)]
struct Formulas {
    /// The folder of the sets
    #[arg(long, default_value = "bench/ltl")]
    formulas: PathBuf,
    /// The ltl2ba binary
    #[arg(long)]
    ltl2ba: Option<PathBuf>,
    /// The ltl3ba binary
    #[arg(long)]
    ltl3ba: Option<PathBuf>,
    /// Where the figures go
    #[arg(long, default_value = "bench/ltl.csv")]
    csv: PathBuf,
}

impl Formulas {
    fn bench(self) -> io::Result<bool> {
        ltl::run(&self.formulas, &ltl::tools(self.ltl2ba, self.ltl3ba), &self.csv)
    }
}

#[derive(Args)]
struct Published {
    /// The Examples folder of the public SPIN repository; without it, our own corpus with the
    /// counts in its heads
    #[arg(long)]
    models: Option<PathBuf>,
    /// The table of counts of the published models, in CSV form
    #[arg(long, default_value = "bench/promela.csv")]
    table: PathBuf,
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
}

impl Published {
    fn weave(&self) -> io::Result<Weave> {
        let binary = match &self.weave {
            Some(binary) => binary.clone(),
            None => xtask::weave::build()?,
        };
        Ok(Weave { time: Duration::from_secs(600), memory_mb: 16_000, ..Weave::new(&binary) })
    }

    /// The folder of the models, and their rows.
    fn rows(&self) -> io::Result<(PathBuf, Vec<Row>)> {
        match &self.models {
            Some(models) => Ok((models.clone(), table::read(&self.table)?)),
            None => {
                let corpus = PathBuf::from("models/promela");
                let rows = table::corpus(&corpus)?;
                Ok((corpus, rows))
            }
        }
    }

    fn oracle(&self) -> io::Result<bool> {
        let Some(models) = &self.models else {
            return Err(io::Error::other("--models is missing: the Examples of the public SPIN repository"));
        };
        oracle::run(table::read(&self.table)?, models, &self.weave()?)
    }

    fn bench(&self) -> io::Result<bool> {
        let (models, rows) = self.rows()?;
        bench::promela(rows, &models, &self.weave()?)
    }

    fn bench_threads(&self) -> io::Result<bool> {
        let (models, rows) = self.rows()?;
        levels::bench(rows, &models, &self.weave()?)
    }
}

#[derive(Args)]
struct ReductionArgs {
    #[command(flatten)]
    at: Published,
    /// Where the figures go
    #[arg(long, default_value = "bench/reduction.csv")]
    csv: PathBuf,
    /// Where the plot goes
    #[arg(long, default_value = "bench/philosophers.svg")]
    plot: PathBuf,
    /// Up to this many philosophers
    #[arg(long, default_value_t = 12)]
    most: u32,
}

impl ReductionArgs {
    fn bench(self) -> io::Result<bool> {
        let published = match &self.at.models {
            Some(models) => Some((models.clone(), table::read(&self.at.table)?)),
            None => None,
        };
        let (weave, csv, plot) = (self.at.weave()?, self.csv, self.plot);
        reduction::Bench { weave, published, csv, plot, most: self.most }.run()
    }
}

#[derive(Args)]
struct FuzzSpin {
    /// How many programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The first seed; the others follow it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Changes to the constructs used, such as `-unless,+priorities`, or `only,atomic,run`
    #[arg(long, default_value = "", allow_hyphen_values = true, value_parser = features)]
    features: (String, Features),
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The weave binary; without it only SPIN runs and its answers are kept
    #[arg(long)]
    weave: Option<PathBuf>,
    /// A folder for SPIN's answers
    #[arg(long)]
    cache: Option<PathBuf>,
    /// A folder for shrunk programs that differ
    #[arg(long)]
    out: Option<PathBuf>,
    /// Do not compare programs with more states
    #[arg(long, default_value_t = 200_000)]
    max_states: u64,
    /// How many smaller programs to try per difference
    #[arg(long, default_value_t = 1500)]
    patience: usize,
}

#[derive(Args)]
struct FuzzReductionArgs {
    /// How many programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The first seed; the others follow it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
    /// States in which claims are tried
    #[arg(long, default_value_t = 60)]
    sample: usize,
    /// Do not compare programs with more states
    #[arg(long, default_value_t = 3_000)]
    max_states: u64,
    /// How many smaller programs to try per complaint
    #[arg(long, default_value_t = 600)]
    patience: usize,
    /// A folder for shrunk programs
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Args)]
struct FuzzJavaArgs {
    /// How many programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The first seed; the others follow it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
    /// An option for weave, such as --races=list; may be given several times
    #[arg(long, allow_hyphen_values = true)]
    option: Vec<String>,
    /// A folder for shrunk programs
    #[arg(long)]
    out: Option<PathBuf>,
    /// Runs on the JVM with random delays, of each program
    #[arg(long, default_value_t = 25)]
    runs: usize,
    /// How many smaller programs to try per contradiction
    #[arg(long, default_value_t = 150)]
    patience: usize,
    /// Print the program of the seed, as weave and as the JVM read it, and do nothing else
    #[arg(long)]
    show: bool,
}

/// True if nothing contradicts.
fn fuzz_java(arguments: FuzzJavaArgs) -> io::Result<bool> {
    if arguments.show {
        let program =
            xtask::fuzz_java::with_question(xtask::java::generate::generate(arguments.seed), arguments.seed);
        println!("{}", xtask::java::print::for_weave(&program).text);
        println!("{}", xtask::java::print::for_jvm(&program).text);
        return Ok(true);
    }
    let binary = arguments.weave.map_or_else(xtask::weave::build, Ok)?;
    let fuzz = FuzzJava {
        seeds: arguments.seed..arguments.seed + arguments.count,
        asked: Asked::new(&binary, arguments.option),
        jobs: arguments.jobs,
        out: arguments.out,
        runs: arguments.runs,
        patience: arguments.patience,
    };
    let summary = fuzz.run()?;
    summary.print();
    Ok(summary.contradictions.is_empty())
}

/// True if nothing is wrong.
fn fuzz_reduction(arguments: FuzzReductionArgs) -> io::Result<bool> {
    let binary = arguments.weave.map_or_else(xtask::weave::build, Ok)?;
    let fuzz = FuzzReduction {
        seeds: arguments.seed..arguments.seed + arguments.count,
        weave: Weave::new(&binary),
        jobs: arguments.jobs,
        sample: arguments.sample,
        max_states: arguments.max_states,
        patience: arguments.patience,
        out: arguments.out,
    };
    let summary = fuzz.run()?;
    summary.print();
    Ok(summary.wrong.is_empty())
}

#[derive(Args)]
struct FuzzEnginesArgs {
    /// How many programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The first seed; the others follow it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
    /// Do not compare programs with more states
    #[arg(long, default_value_t = 3_000)]
    max_states: u64,
    /// Seconds for each engine
    #[arg(long, default_value_t = 3)]
    time: u64,
    /// How many smaller programs to try per difference
    #[arg(long, default_value_t = 300)]
    patience: usize,
    /// A folder for shrunk programs
    #[arg(long)]
    out: Option<PathBuf>,
}

/// True if no engine contradicts another.
fn fuzz_engines(arguments: FuzzEnginesArgs) -> io::Result<bool> {
    let binary = arguments.weave.map_or_else(xtask::weave::build, Ok)?;
    let fuzz = FuzzEngines {
        seeds: arguments.seed..arguments.seed + arguments.count,
        weave: Weave::new(&binary),
        jobs: arguments.jobs,
        max_states: arguments.max_states,
        time: arguments.time,
        patience: arguments.patience,
        out: arguments.out,
    };
    let summary = fuzz.run()?;
    summary.print();
    Ok(summary.wrong.is_empty())
}

#[derive(Args)]
struct FuzzProgramsArgs {
    /// How many programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The first seed; the others follow it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
    /// How many smaller programs to try per contradiction
    #[arg(long, default_value_t = 200)]
    patience: usize,
    /// A folder for shrunk programs
    #[arg(long)]
    out: Option<PathBuf>,
    /// Only print the program of the seed, and what can become of it
    #[arg(long)]
    print: bool,
}

/// True if nothing contradicts.
fn fuzz_programs(arguments: FuzzProgramsArgs) -> io::Result<bool> {
    if arguments.print {
        let (program, known) = xtask::fuzz_programs::subject(arguments.seed);
        println!(
            "{program}
/* {known:#?} */"
        );
        return Ok(true);
    }
    let binary = arguments.weave.map_or_else(xtask::weave::build, Ok)?;
    let fuzz = FuzzPrograms {
        seeds: arguments.seed..arguments.seed + arguments.count,
        weave: binary.canonicalize()?,
        jobs: arguments.jobs,
        patience: arguments.patience,
        out: arguments.out,
    };
    let summary = fuzz.run()?;
    summary.print();
    Ok(summary.wrong.is_empty())
}

#[derive(Args)]
struct SoakArgs {
    #[arg(long)]
    minutes: u64,
    /// The first seed; the default comes from the clock
    #[arg(long)]
    seed: Option<u64>,
    /// A folder for what is found
    #[arg(long, default_value = "target/soak")]
    out: PathBuf,
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The weave binary; the default is built first
    #[arg(long)]
    weave: Option<PathBuf>,
    /// Only generators with this in their names
    #[arg(long)]
    only: Option<String>,
}

/// True if nothing contradicts.
fn soak(arguments: SoakArgs) -> io::Result<bool> {
    let binary = arguments.weave.map_or_else(xtask::weave::build, Ok)?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let soak = Soak {
        time: Duration::from_secs(60 * arguments.minutes),
        seed: arguments.seed.unwrap_or_else(|| now.map_or(1, |passed| passed.as_secs() % 100_000_000)),
        weave: binary.canonicalize()?,
        jobs: arguments.jobs,
        out: arguments.out,
        only: arguments.only,
    };
    let table = Arc::new(Table::default());
    let interrupted = Arc::clone(&table);
    let stop = move || {
        interrupted.print();
        std::process::exit(130);
    };
    ctrlc::set_handler(stop).map_err(io::Error::other)?;
    let done = soak.run(&table);
    table.print();
    done.map(|()| table.contradictions() == 0)
}

fn fuzz_prove(seeds: Range<u64>, jobs: usize, weave: Option<PathBuf>, out: PathBuf) -> io::Result<bool> {
    let weave = weave.map_or_else(xtask::weave::build, Ok)?;
    let summary = FuzzProve { seeds, jobs, weave, out }.run()?;
    let decided: Vec<String> = summary.decided.iter().map(|(who, n)| format!("{who} {n}")).collect();
    println!("decided: {}; not judged: {}; refused: {}", decided.join(", "), summary.lost, summary.refused);
    println!(
        "{} programs, {} comparisons, {} contradictions",
        summary.programs, summary.comparisons, summary.contradictions
    );
    Ok(summary.contradictions == 0)
}

fn features(text: &str) -> Result<(String, Features), String> {
    Ok((text.to_owned(), Features::parse(text)?))
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::FuzzSpin(arguments) => fuzz_spin(arguments),
        Command::FuzzLtl { count, seed, weave, patience } => fuzz_ltl(seed..seed + count, weave, patience),
        Command::FuzzJava(arguments) => fuzz_java(arguments),
        Command::FuzzReduction(arguments) => fuzz_reduction(arguments),
        Command::FuzzEngines(arguments) => fuzz_engines(arguments),
        Command::FuzzPrograms(arguments) => fuzz_programs(arguments),
        Command::FuzzProve { seed, count, jobs, weave, out } => {
            fuzz_prove(seed..seed + count, jobs, weave, out)
        }
        Command::Oracle(at) => at.oracle(),
        Command::Bench { suite: Suite::Cache(at) } => at.bench(),
        Command::Bench { suite: Suite::Promela(at) } => at.bench(),
        Command::Bench { suite: Suite::Threads(at) } => at.bench_threads(),
        Command::Bench { suite: Suite::Speed(at) } => at.bench(),
        Command::Bench { suite: Suite::Shapes } => shapes::bench(),
        Command::Bench { suite: Suite::Reduction(at) } => at.bench(),
        Command::Bench { suite: Suite::Ltl(formulas) } => formulas.bench(),
        Command::Bench { suite: Suite::Programs(at) } => at.bench(),
        Command::Bench { suite: Suite::Proofs(at) } => at.bench(),
        Command::Solve { conditions, count, seed } => solve::run(conditions.as_deref(), count, seed),
        Command::Soak(arguments) => soak(arguments),
        Command::Tidy => tidy(),
        Command::Dist { out, weave } => Dist { root: PathBuf::from("."), out, weave }.make().map(|_| true),
        Command::Words { list, find } => words::update(Path::new("."), &list, find.as_deref()).map(|()| true),
        Command::Generate { seed, features: (_, features) } => {
            print!("{}", generate::program(seed, features));
            Ok(true)
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::from(2)
        }
    }
}

/// True if nothing offends.
fn tidy() -> io::Result<bool> {
    let offences = tidy::offences(Path::new("."))?;
    offences.iter().for_each(|offence| println!("{offence}"));
    Ok(offences.is_empty())
}

/// True if nothing differs.
fn fuzz_ltl(seeds: Range<u64>, weave: Option<PathBuf>, patience: usize) -> io::Result<bool> {
    let binary = weave.map_or_else(xtask::weave::build, Ok)?;
    xtask::fuzz_ltl::run(seeds, &Weave::new(&binary), patience)
}

/// True if nothing differs.
fn fuzz_spin(arguments: FuzzSpin) -> io::Result<bool> {
    let (features_text, features) = arguments.features;
    let fuzz = Fuzz {
        seeds: arguments.seed..arguments.seed + arguments.count,
        features,
        features_text,
        jobs: arguments.jobs,
        weave: arguments.weave.as_deref().map(Weave::new),
        cache: Cache::new(arguments.cache.as_deref()),
        out: arguments.out,
        max_states: arguments.max_states,
        patience: arguments.patience,
    };
    let summary = fuzz.run()?;
    summary.print();
    Ok(summary.different.is_empty())
}
