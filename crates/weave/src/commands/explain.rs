//! `weave explain`: the long explanation of a code.

use crate::cli::ExplainArgs;
use crate::exit::Exit;
use crate::output::line;
use workbench::Failure;

/// What the kinds of violation mean, and the one warning that only a search can give.
const KINDS: [(&str, &str, &str); 4] = [
    (
        "deadlock",
        "no process can move, and one is not at a valid end",
        "\
In some reachable state no process can take a step, and at least one process is neither at its
closing brace nor at a label that begins with `end`. SPIN calls this an invalid end state.

The run shows how the system gets there; the list below it says what each process waits for. If a
process may wait there endlessly (a server, for instance), put a label such as `end:` there.",
    ),
    (
        "assertion",
        "an `assert` is false in some run",
        "\
An `assert(condition)` statement is executed in a state in which the condition is false. The last
step of the run executes it; the steps above it show which values changed.",
    ),
    (
        "runtime",
        "a statement cannot be executed sensibly",
        "\
Division by zero, an index outside its array, an operation on a channel variable that refers to no
channel, a message that does not fit its channel, more than 255 processes or channels, or a d_step
that blocks or never ends. The run ends there; what would come after it is not explored.",
    ),
    (
        "exclusive",
        "a channel assertion (xr, xs) is false",
        "\
`xr q` declares that only this process receives from q, `xs q` that only this process sends to it.
SPIN relies on this to search less; weave does not, so a false declaration never makes its answer
wrong. Remove it, or make it true.",
    ),
];

pub(crate) fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let kind = KINDS.iter().find(|k| k.0.eq_ignore_ascii_case(&args.code)).copied();
    let tables = workbench::engine::codes();
    let code = tables.iter().find_map(|t| t.find(&args.code)).map(|c| (c.code, c.title, c.explanation));
    let Some((code, title, explanation)) = kind.or(code) else {
        let mut known: Vec<_> = tables.iter().flat_map(|t| t.0).map(|c| c.code).collect();
        known.sort_unstable();
        known.extend(KINDS.map(|k| k.0));
        return Err(Failure::Request(format!("no code `{}`; there are: {}", args.code, known.join(", "))));
    };
    line(&format!("{code}: {title}\n\n{}", explanation.trim()));
    Ok(Exit::Good)
}
