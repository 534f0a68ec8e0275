//! What each diagnostic code of `.tvm` and of the Java front end means.

use source::{Code, CodeTable};

/// All codes: 08 Java, 09 the language `.tvm` and promises.
pub const CODES: CodeTable = CodeTable(&[
    Code {
        code: "E0801",
        title: "not Java",
        explanation: "The file is not well-formed Java at this place.",
    },
    Code {
        code: "E0802",
        title: "outside the subset of Java",
        explanation: "This construct is not modelled, and nothing is ever skipped silently. Modelled are classes with reference and boolean
fields, static fields, `new`, calls of own methods (inlined), `Thread`, `Runnable`, `start`, `join`, `synchronized`, `wait`,
`notify`, `notifyAll`, `ReentrantLock`, `Condition`, executors with a thread for each task, fields that are an `AtomicBoolean`, an
`AtomicReference` or an `AtomicInteger` with a range, `throw`, `try`, loops and tests on references, null and booleans. Numbers are exact
if a range is declared for them (`//@ range NAME LOW..HIGH`); other numbers and texts are forgotten.

Not modelled are lambdas but for the body of a thread or task, initializer blocks (`static { … }`), a second constructor, anonymous and
local classes, fields of enclosing classes by their name alone, enums, records, `switch`, labels, patterns, arrays of objects, a variable
number of arguments, raw types and casts to type variables, unicode escapes, static imports. Refused is also what could be taken for
something else: a type or variable with the name of a class of the library or of the program, methods of one name and number of
parameters that differ in their types (inherited ones and those of Object, Thread and exceptions count), `finalize`.",
    },
    Code {
        code: "E0803",
        title: "unknown name",
        explanation: "A variable, field, method or class is neither declared in the file nor one of the library classes that are modelled.",
    },
    Code {
        code: "E0804",
        title: "recursion",
        explanation: "Calls are inlined, so a method must not call itself, directly or through others.",
    },
    Code {
        code: "E0805",
        title: "no main",
        explanation: "One class has `public static void main(String[] args)`; the program begins there.",
    },
    Code {
        code: "E0806",
        title: "annotation cannot be read",
        explanation: "Comments that begin with `//@` are for weave: `//@ ltl NAME: FORMULA`, `//@ fair weak|strong THREAD`, `//@ inv NAME: FORMULA`,
`//@ pred NAME(x) = FORMULA`, `//@ range NAME LOW..HIGH`, and before a statement `//@ exclusive NAME` and `//@ any`. A range contains 0,
has two to 33 values, and is that of every `int` field, local, parameter and result of that name; `CLASS.NAME` means those in one class.",
    },
    Code {
        code: "E0807",
        title: "a forgotten number is given to one with a range",
        explanation: "A number with a declared range gets its value from literals, `static final` constants and other numbers with ranges, by
+ - * / and %. What is computed from other numbers is forgotten. Declare a range for these too, or write `//@ any` before the
statement if every value of the range is possible.",
    },
    Code {
        code: "E0901",
        title: "syntax error",
        explanation: "Something else was expected here. Items begin with `set`, `foreach`, `predicate`, `derived`, `constraint`, `action`,
`thread`, `procedure`, `environment`, `initial`, `invariant`, `ltl`, `never` or `fair`; reading goes on at the next of these words.",
    },
    Code {
        code: "E0902",
        title: "unknown set",
        explanation: "`foreach`, `any` and `all` run over a set that is declared somewhere in the file.

    set Locks = { a, b }
    foreach (l in Locks) { predicate lock[l](x) unique }",
    },
    Code {
        code: "E0903",
        title: "unknown variable",
        explanation: "A formula uses a variable that nothing binds. In an action there are `self`, the individuals of `choose` and `new`, and
the parameters of the update; quantifiers bind more.",
    },
    Code {
        code: "E0904",
        title: "unknown predicate",
        explanation: "The predicate is not declared. `at[l]` exists for every place l of a thread; all others are declared with
`predicate` or `derived`.",
    },
    Code {
        code: "E0905",
        title: "wrong number of arguments",
        explanation: "A predicate is used with more or fewer arguments than it was declared with. One without arguments is written without
brackets.",
    },
    Code {
        code: "E0906",
        title: "too many variables",
        explanation: "A formula has more than 60 variables in scope at one place. Split it with derived predicates.",
    },
    Code {
        code: "E0907",
        title: "declared twice",
        explanation: "Two predicates, actions or nodes have the same name. Rename one, or give it an index: `lock[a]`, `lock[b]`.",
    },
    Code {
        code: "E0908",
        title: "too many arguments",
        explanation: "Predicates have no, one or two arguments. A relation between three individuals is written with an individual for the
tuple and three binary predicates.",
    },
    Code {
        code: "E0909",
        title: "attribute cannot be used",
        explanation: "Unary predicates can be `unique` and `nonabs`; binary ones `function`, `invfunction`, `symmetric`, `antisymmetric`,
`reflexive`, `antireflexive`, `transitive` and `acyclic`.",
    },
    Code {
        code: "E0910",
        title: "definition uses what is not above it",
        explanation: "A derived predicate is defined by predicates that are declared before it, so that each can be computed from the others.",
    },
    Code {
        code: "E0911",
        title: "no initial structure",
        explanation: "A model begins somewhere. A star marks a node that stands for one or more individuals.

    initial { node t*: at[l1]; node l: is_lock }",
    },
    Code {
        code: "E0912",
        title: "constraint cannot be enforced",
        explanation: "Behind `=>` stands what can be set: a predicate, its negation, an equality, or 0 for states that cannot be.

    constraint blocked(t, l) => !held_by(l, t)",
    },
    Code {
        code: "E0913",
        title: "unknown action",
        explanation: "A thread, the environment or a fairness line names an action that is not declared.",
    },
    Code {
        code: "E0914",
        title: "wrong number of names for an action",
        explanation: "An action that is declared with names in brackets is called with as many.

    action lock[v] { … }
    thread t { l0: lock[a] -> l1 }",
    },
    Code {
        code: "E0915",
        title: "too many nodes",
        explanation: "A structure has at most 64 nodes. Use summary nodes: `node t*`.",
    },
    Code {
        code: "E0916",
        title: "unknown node",
        explanation: "A tuple of an initial structure names a node that is not declared in it with `node`.",
    },
    Code {
        code: "E0917",
        title: "focus wants predicates",
        explanation: "A focus clause is a list of predicates or negated predicates with `&` between them. They are made definite from left to
right; variables that are not bound run over all nodes.

    focus curr(c) & next(c, o)",
    },
    Code {
        code: "E0918",
        title: "updated twice",
        explanation: "An action gives a predicate two new values. Combine them in one formula.",
    },
    Code {
        code: "E0919",
        title: "too many atoms",
        explanation: "A formula of temporal logic has at most 64 different atoms.",
    },
    Code {
        code: "E0920",
        title: "a promise is broken",
        explanation: "Attributes, constraints and updates of derived predicates are believed when abstract states are sharpened: a state that
contradicts one is discarded. A run with few individuals leads to a state that does contradict it, so every answer would be worthless.

For example, with a lock that does not test whether it is free, `predicate held_by(l, t) function` discards exactly the states with
two holders, and mutual exclusion seems to hold. Remove the promise, or repair the action at the end of the run.",
    },
    Code {
        code: "E0921",
        title: "the initial structures stand for nothing",
        explanation: "No initial structure has a concrete state behind it, with up to three individuals for its summary nodes: its values
contradict the constraints or the definitions of derived predicates.",
    },
    Code {
        code: "E0922",
        title: "not an automaton",
        explanation: "The text in the braces of `never` is an automaton of the bad runs in the Hanoi format (HOA version 1), whose atomic
propositions are nullary predicates or closed formulas of the model.",
    },
    Code {
        code: "E0923",
        title: "unknown procedure",
        explanation: "`l0: call P -> l1` calls a procedure that is declared in the file: `procedure P { p0: a -> p1  return p1 }`. With `else l2`
behind it the thread goes on at l2 if P is left at a place that `raise` names.",
    },
    Code {
        code: "E0924",
        title: "a name hides an individual",
        explanation: "The variables in `p(v) := …` and `retain v: …` stand for every individual. One that is called like an individual which
the action chooses or creates would hide it: `new k  p(k) := 1` would make p true of all. Take another name.

    new k  p(v) := p(v) | v == k",
    },
    Code {
        code: "W0901",
        title: "focus declined",
        explanation: "A binary predicate between two summary nodes cannot be made definite in finitely many cases. Its value stays 1/2, which
is sound and may make the answer *unknown*. Focus on one end first, for instance on a unary predicate of it.",
    },
]);
