//! What each diagnostic code of the Java front end means.

use source::{Code, CodeTable};

/// All codes: 08.
pub const CODES: CodeTable = CodeTable(&[
    Code { code: "E0801", title: "not Java", explanation: "The file is not well-formed Java at this place." },
    Code {
        code: "E0802",
        title: "outside the subset of Java",
        explanation:
            "This construct is not modelled, and nothing is ever skipped silently. Modelled are classes with
reference and boolean fields, static fields, `new`, calls of own methods (inlined), `Thread`,
`Runnable`, `start`, `join`, `synchronized`, `wait`, `notify`, `notifyAll`, `ReentrantLock`,
`Condition`, executors with a thread for each task, fields that are an `AtomicBoolean`, an
`AtomicReference` or an `AtomicInteger` with a range, `throw`, `try`, loops and tests on references,
null and booleans. Numbers are exact if a range is declared for them (`//@ range NAME LOW..HIGH`);
other numbers and texts are forgotten.

Not modelled are lambdas but for the body of a thread or task, initializer blocks (`static { … }`),
a second constructor, anonymous and local classes, fields of enclosing classes by their name alone,
enums, records, `switch`, labels, patterns, arrays of objects, a variable number of arguments, raw
types and casts to type variables, unicode escapes, static imports. Refused is also what could be
taken for something else: a type or variable with the name of a class of the library or of the
program, methods of one name and number of parameters that differ in their types (inherited ones and
those of Object, Thread and exceptions count), `finalize`.",
    },
    Code {
        code: "E0803",
        title: "unknown name",
        explanation:
            "A variable, field, method or class is neither declared in the file nor one of the library classes
that are modelled.",
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
        explanation:
            "Comments that begin with `//@` are for weave: `//@ ltl NAME: FORMULA`, `//@ fair weak|strong
THREAD`, `//@ inv NAME: FORMULA`, `//@ pred NAME(x) = FORMULA`, `//@ range NAME LOW..HIGH`, and
before a statement `//@ exclusive NAME` and `//@ any`. A range contains 0, has two to 33 values, and
is that of every `int` field, local, parameter and result of that name; `CLASS.NAME` means those in
one class.",
    },
    Code {
        code: "E0807",
        title: "a number without a range is assigned to one with a range",
        explanation:
            "A number with a declared range gets its value from literals, `static final` constants and other
numbers with ranges, by + - * / and %. What is computed from other numbers is forgotten. Declare a
range for these too, or write `//@ any` before the statement if every value of the range is
possible.",
    },
]);
