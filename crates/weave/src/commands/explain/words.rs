//! What the words in answers mean: kinds of property, verdicts, and what stands below them.

/// A word, what it means in a line, and the rest.
pub(super) type Word = (&'static str, &'static str, &'static str);

pub(super) const WORDS: [Word; 43] = [
    (
        "holds",
        "no run violates what was asked",
        "\
The search was complete, or there is a proof. What the verdict rests on stands under `assumes`; what
an independent checker confirmed stands under `certified`.",
    ),
    (
        "violated",
        "a run shows that a property is false",
        "\
The run was executed again by an independent checker before it was shown. `--trace FILE` records it,
`weave replay FILE` shows it again.",
    ),
    (
        "unknown",
        "neither holds nor violated: something was not seen",
        "\
The first line says what: a limit was reached, an operation is not modelled, memory is not seen, no
proof was found. `docs/limits.md` lists what is not modelled. Raise the limit, or do what the lines
below the verdict propose.",
    ),
    (
        "deadlock",
        "no process can move, and one is not at a valid end",
        "\
In some reachable state no process can take a step, and at least one process is neither at its
closing brace nor at a label that begins with `end`. SPIN calls this an invalid end state.

The run shows how the system gets there; the list below it says what each process waits for. If a
process may wait there endlessly (a server, for instance), put a label such as `end:` there. In a
program, a deadlock is a state in which threads wait for each other, and none can go on.",
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
        "a statement that has no result is executed",
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
    (
        "race",
        "two threads access one variable, one writes, and nothing orders them",
        "\
In C and C++ that is undefined behaviour, in Java the program sees values that no order explains.
The run shows both accesses with their lines. Use a lock, an atomic variable, or `volatile` in Java.
`--races list` lists races without calling them violations.",
    ),
    (
        "crash",
        "a process of the program is ended by a signal",
        "\
For instance by an invalid memory access, an `abort`, or a division by zero. The last step of
the run is the one before it.",
    ),
    (
        "divergence",
        "a thread computes for long without an operation that others see",
        "\
It probably loops endlessly. `--divergence` says after how long a thread counts as lost.",
    ),
    (
        "livelock",
        "threads go on, but none gets anywhere",
        "\
The program repeats states: `--livelock` says after how many operations without progress this is
reported.",
    ),
    (
        "misuse",
        "a call that its library does not allow",
        "\
Such as unlocking a mutex that another thread holds, or destroying one that is in use. What happens
then is undefined.",
    ),
    ("exit", "the program ends with an exit status other than 0", "Only if it was asked for by `--exit`."),
    (
        "progress",
        "a cycle without a state that is marked as progress",
        "\
A run goes round without passing a label that begins with `progress`. SPIN calls this a
non-progress cycle.",
    ),
    (
        "acceptance",
        "a cycle through a label that begins with `accept`",
        "\
A run visits such a label again and again. The label says that no run may. SPIN calls this an
acceptance cycle.",
    ),
    (
        "error",
        "a thread of a Java program ends by an error",
        "\
An exception that nothing catches, an `assert` that is false, or a number outside the range that is
followed. The run shows the calls that lead to it.",
    ),
    (
        "lock-cycle",
        "threads wait for each other in a circle",
        "\
Each holds a lock, or is awaited, and waits for the next one. Other threads may go on, so this need
not be a deadlock of the whole program. Take locks in one order everywhere.",
    ),
    (
        "nondeterminism",
        "the program behaved differently in the same order of steps",
        "\
It depends on something that is not controlled: a clock, a random number, an address, a file that
changes. Runs can then not be repeated, so nothing is certain.",
    ),
    (
        "timeout",
        "the time of `--timeout` was over",
        "What was decided until then stands; the rest is unknown. `weave explain unknown` says more.",
    ),
    (
        "interrupted",
        "you ended the search",
        "What was decided until then stands; the rest is unknown. The exit code is 130.",
    ),
    (
        "estimated",
        "the size of the search, guessed from random runs",
        "\
`--estimate` multiplies the choices that random runs had (Knuth's method). It may be wrong by orders
of magnitude for irregular programs.",
    ),
    (
        "cross-check",
        "abstract states compared with concrete runs of few individuals",
        "\
`--cross-check` asks for it. A concrete state that no abstract state stands for is a bug in weave.",
    ),
    (
        "symbolic",
        "searched with sets of states, as decision diagrams",
        "\
`--engine symbolic`. Good where states are many and regular; the order of variables decides the size
of the diagrams.",
    ),
    (
        "exhausted",
        "the search was complete",
        "Everything that had to be seen was seen. Otherwise the verdict cannot be *holds*.",
    ),
    (
        "swarm",
        "many small searches, each in another way",
        "\
`--swarm N`, for spaces far beyond memory. What it does not find violated is unknown, with an
estimate of the states that were missed.",
    ),
    (
        "claim",
        "a never claim, accept labels, or trace of the model is violated",
        "The run is one that the claim forbids.",
    ),
    (
        "trace",
        "the run does not fit the trace or notrace declaration of the model",
        "A `trace` block says in which order messages go through channels; some run does otherwise.",
    ),
    (
        "ltl",
        "a formula of temporal logic",
        "\
It speaks of whole runs. A run that violates it is finite if something bad happened, else a lasso.
The book explains the operators under *Formulas of temporal logic*.",
    ),
    (
        "lasso",
        "a run without end: a beginning, then a loop that repeats without end",
        "\
Something that should happen never does. The loop is marked in the run. If the loop is unfair (some
process could move all the time and never does), ask with `--fairness`.",
    ),
    (
        "fairness",
        "which endless runs count",
        "\
*weak* (justice): what is enabled from some time on without a break is executed again and again.
*strong* (compassion): what is enabled again and again is executed again and again. Without
fairness a scheduler may forget a process.",
    ),
    (
        "vacuous",
        "the property holds, but says nothing about this model",
        "\
Such as `[](p -> <>q)` where p never holds. Look whether p is what you mean.",
    ),
    (
        "lost-wakeup",
        "a notification comes before the wait it is for",
        "\
The waiting thread sleeps on: no thread notifies it again. Test the condition under the lock before
waiting, and change it under the same lock.",
    ),
    (
        "assumes",
        "what the verdict rests on and weave does not check",
        "\
Such as sequential consistency, or that code without instrumentation has no data races. Each line is
one assumption. If one is false for your program, the verdict says nothing.",
    ),
    (
        "uncontrolled",
        "the program called something that is not modelled",
        "\
After it, other runs may exist that were not tried. So a search without a violation is *unknown*.
The line names the call.",
    ),
    (
        "unseen",
        "memory that threads share and weave does not see",
        "\
Code that was not compiled by `weave cc` accesses memory unseen. Build all of it with `weave cc`, or
say `--assume unseen-memory` if threads share nothing there.",
    ),
    (
        "bounded",
        "a limit was reached, so not everything was seen",
        "`--depth`, `--max-runs` and `--preemptions` bound the runs of a program. Raise them.",
    ),
    (
        "certified",
        "an independent checker confirmed the verdict",
        "\
With the reference semantics alone, without the search: a closed set of states, levels of a product,
the conditions of a proof made again. `--certify` asks for it where there are many states.",
    ),
    (
        "reduction",
        "interleavings that differ only in the order of independent steps are left out",
        "\
Partial-order reduction. What was asked has the same verdict with and without it. `--reduction none`
searches everything.",
    ),
    ("unreached", "a statement that no run executes", "It may be dead code, or a guard that is never true."),
    (
        "matched",
        "transitions that lead to a state that was seen before",
        "Transitions are those that were explored; states are those that are different.",
    ),
    (
        "reproduce",
        "the command that gives the same answer again",
        "Options that only change how an answer looks are left out.",
    ),
    (
        "condition",
        "a formula that must be valid for a proof",
        "\
Rules and diagrams turn a property into conditions about single states and steps; a solver decides
each. One that fails shows two states and the statement between them.",
    ),
    (
        "abstraction",
        "a finite program that stands for one with more states",
        "\
What holds of it holds of the program. A run of it that violates the property may be none of the
program; then the property is *unknown* until more is known.",
    ),
];
