//! What each diagnostic code of Promela means.

use source::{Code, CodeTable};

/// All codes: 01 preprocessor, 02 syntax, 03 names and types.
pub const CODES: CodeTable = CodeTable(&[
    Code {
        code: "E0101",
        title: "unexpected character",
        explanation: r#"Promela does not use this character, except in strings and comments.

    x = 3 § 4;      /* error */

Remove it. Letters of names are a-z, A-Z, 0-9 and `_`."#,
    },
    Code {
        code: "E0102",
        title: "comment is not closed",
        explanation: r#"A comment that begins with `/*` runs to the next `*/`; there is none up to the end of the file.

    /* a comment    /* error: add the closing mark */"#,
    },
    Code {
        code: "E0103",
        title: "string is not closed",
        explanation: r#"A string ends with `"` on the line on which it begins.

    printf("hello);     /* error */
    printf("hello");    /* right */"#,
    },
    Code {
        code: "E0104",
        title: "character constant is not closed",
        explanation: r#"A character constant is one character, or a backslash and one character, between single quotes.

    x = 'ab';    /* error */
    x = 'a';     /* right */"#,
    },
    Code {
        code: "E0105",
        title: "number cannot be used",
        explanation: r#"Numbers are decimal and must fit in 64 bits.

    x = 0x1F;    /* error */
    x = 31;      /* right */"#,
    },
    Code {
        code: "E0110",
        title: "unknown preprocessor directive",
        explanation: r#"A line that begins with `#` is for the preprocessor, which does not know this word.

    #defin N 3     /* error */
    #define N 3    /* right */"#,
    },
    Code {
        code: "E0111",
        title: "malformed macro definition",
        explanation: r#"`#define`, `#undef`, `#ifdef` and `#ifndef` need the name of a macro; parameters are names with
commas between them.

    #define F(x, 2) x     /* error */
    #define F(x, y) x     /* right */"#,
    },
    Code {
        code: "E0112",
        title: "malformed #include",
        explanation: r#"The name of the file stands in quotes.

    #include defs.h      /* error */
    #include "defs.h"    /* right */"#,
    },
    Code {
        code: "E0113",
        title: "file cannot be included",
        explanation: r#"The file does not exist or cannot be read. It is searched for in the folder of the file that
includes it.

    #include "no_such_file.h"    /* error */"#,
    },
    Code {
        code: "E0114",
        title: "includes are nested too deeply",
        explanation: r#"A file includes itself, directly or through others. Guard it:

    #ifndef DEFS
    #define DEFS
    ...
    #endif"#,
    },
    Code {
        code: "E0115",
        title: "malformed condition",
        explanation: r#"The condition of `#if` or `#elif` is an expression of numbers, operators and `defined(NAME)`.

    #if N >      /* error */
    #if N > 2    /* right */"#,
    },
    Code {
        code: "E0116",
        title: "branch without #if",
        explanation: r#"`#elif`, `#else` and `#endif` belong to an `#if`, `#ifdef` or `#ifndef` before them; after `#else`
comes only `#endif`.

    #endif    /* error: nothing is open */"#,
    },
    Code {
        code: "E0117",
        title: "#if without #endif",
        explanation: r#"Each `#if`, `#ifdef` and `#ifndef` needs its `#endif` in the same file.

    #ifdef N
    byte x;
              /* error: add #endif */"#,
    },
    Code {
        code: "E0118",
        title: "#error",
        explanation: r#"The model itself stops here with `#error`, mostly because a macro has a value that makes no sense.

    #if N > 4
    #error too many processes
    #endif"#,
    },
    Code {
        code: "E0119",
        title: "wrong call of a macro",
        explanation: r#"A macro is called with one argument for each parameter, between parentheses.

    #define MAX(a, b) ((a) > (b) -> (a) : (b))
    x = MAX(1);       /* error */
    x = MAX(1, 2);    /* right */"#,
    },
    Code {
        code: "E0120",
        title: "## does not make a token",
        explanation: r#"`a ## b` joins two tokens, and the result must be one token.

    #define J(a, b) a ## b
    J(x, +)    /* error: `x+` is two tokens */
    J(x, 1)    /* right: `x1` */"#,
    },
    Code {
        code: "E0121",
        title: "macros expand to too much text",
        explanation: r#"Macros that use each other can double their text with every level. The limit is four million tokens,
and 64 calls inside each other.

    #define A x x
    #define B A A
    #define C B B    /* and so on: too much in the end */"#,
    },
    Code {
        code: "E0201",
        title: "unexpected token",
        explanation: r#"The grammar requires something else here; the message says what.

    proctype P { skip }      /* error: expected `(` */
    proctype P() { skip }    /* right */"#,
    },
    Code {
        code: "E0202",
        title: "reserved word as a name",
        explanation: r#"The words of the language cannot be names of variables, labels, types or processes.

    byte len;       /* error */
    byte length;    /* right */"#,
    },
    Code {
        code: "E0203",
        title: "nested too deeply",
        explanation: r#"Blocks, parentheses and inline calls may nest 220 levels deep.

    x = ((((((( ... )))))));    /* error beyond 220 */"#,
    },
    Code {
        code: "E0204",
        title: "expression is too long",
        explanation: r#"An expression may nest operators 500 levels deep. Split it with variables.

    x = a + a + a + ...    /* error beyond 500 */"#,
    },
    Code {
        code: "E0205",
        title: "empty sequence",
        explanation: r#"Braces, options and typedefs contain at least one statement or field.

    init { }         /* error */
    init { skip }    /* right */"#,
    },
    Code {
        code: "E0206",
        title: "label before a declaration",
        explanation: r#"A label marks a statement; a declaration is not a statement.

    L: byte x;    /* error */
    byte x;
    L: x = 1;     /* right */"#,
    },
    Code {
        code: "E0207",
        title: "embedded C is not supported",
        explanation: r#"`c_code`, `c_expr`, `c_decl`, `c_state` and `c_track` put C code into a model. `weave` cannot follow
C code state by state, so it refuses it. Most uses can be written in Promela: a `d_step` runs
several statements as one step.

    c_code { now.x = 1; };    /* error */
    d_step { x = 1; }         /* right */"#,
    },
    Code {
        code: "E0208",
        title: "STDIN is not supported",
        explanation: r#"A model that is checked cannot read input. Let the environment choose a value instead.

    STDIN?c;                  /* error */
    select (c : 0 .. 255);    /* right: every value is tried */"#,
    },
    Code {
        code: "E0209",
        title: "unknown inline",
        explanation: r#"A name followed by parentheses is a call of an inline, which must be defined first.

    init { reset(x) }               /* error */

    inline reset(v) { v = 0 }
    init { byte x; reset(x) }       /* right */

To start a process write `run P()`."#,
    },
    Code {
        code: "E0210",
        title: "wrong number of arguments for an inline",
        explanation: r#"An inline is called with as many arguments as it has parameters.

    inline set(v, n) { v = n }
    init { byte x; set(x) }       /* error */
    init { byte x; set(x, 3) }    /* right */"#,
    },
    Code {
        code: "E0211",
        title: "inline calls itself",
        explanation: r#"An inline is replaced by its text, so it cannot call itself, and the text of all calls together is
limited to a million tokens.

    inline f() { f() }    /* error */"#,
    },
    Code {
        code: "E0212",
        title: "inline is defined twice",
        explanation: r#"Each inline has a name of its own.

    inline f() { skip }
    inline f() { skip }    /* error */"#,
    },
    Code {
        code: "E0213",
        title: "value of `return` is not assigned",
        explanation: r#"`return` in an inline gives a value to the variable to which the call is assigned.

    inline next(v) { return v + 1 }
    init { byte x; next(x) }        /* error */
    init { byte x; x = next(x) }    /* right */"#,
    },
    Code {
        code: "E0214",
        title: "channel probe in an expression",
        explanation: r#"`full`, `empty`, `nfull` and `nempty` stand alone or between `&&` and `||`; each has its opposite.

    !full(q)    /* error */
    nfull(q)    /* right */"#,
    },
    Code {
        code: "E0215",
        title: "temporal formula as a value",
        explanation: r#"Temporal operators make formulas, which have no value to compare or add. Usually parentheses are
missing: prefix operators bind tightly.

    ltl { [] x == 1 }      /* error: ([] x) == 1 */
    ltl { [] (x == 1) }    /* right */"#,
    },
    Code {
        code: "E0217",
        title: "declaration must be global",
        explanation: r#"Types and mtype constants are declared outside of all proctypes.

    init { mtype = { red }; skip }    /* error */
    mtype = { red };                  /* right */"#,
    },
    Code {
        code: "E0301",
        title: "unknown name",
        explanation: r#"No variable or constant of this name is visible here. Variables of a block exist only inside it.

    init { { byte x; x = 1 } x = 2 }     /* error */
    init { byte x; { x = 1 } x = 2 }     /* right */"#,
    },
    Code {
        code: "E0302",
        title: "declared twice",
        explanation: r#"A name can be declared once in its scope; all global names share one scope. A model has one `init`
and one `trace` or `notrace`.

    byte x;
    int x;    /* error */"#,
    },
    Code {
        code: "E0303",
        title: "wrong type",
        explanation: r#"The type does not exist, or cannot be used here. A typedef comes before its first use; only
`unsigned` has a width, and it must have one.

    unsigned u;        /* error */
    unsigned u : 4;    /* right */"#,
    },
    Code {
        code: "E0304",
        title: "not a constant",
        explanation: r#"Lengths of arrays, capacities, widths, priorities and the elements of initial lists must be known
before the model runs.

    byte n;
    byte a[n];      /* error */
    #define N 4
    byte a[N];      /* right */"#,
    },
    Code {
        code: "E0305",
        title: "number or type outside its limits",
        explanation: r#"A number is too small or too large for its use, or a type is too large.

    byte a[0];                        /* error */
    for (i : 3 .. 1) { skip }         /* error: an empty range */"#,
    },
    Code {
        code: "E0306",
        title: "not a channel",
        explanation: r#"Only channels can be sent to, received from, measured or listed.

    byte q;
    q!1;                          /* error */
    chan q = [1] of { byte };
    q!1;                          /* right */"#,
    },
    Code {
        code: "E0307",
        title: "not a variable",
        explanation: r#"Constants, types, proctypes, `_pid`, `_nr_pr` and `_last` cannot be changed or used as variables.

    _pid = 3;    /* error */"#,
    },
    Code {
        code: "E0308",
        title: "index is missing",
        explanation: r#"A whole array cannot be read or written; name an element.

    byte a[3];
    a = 1;       /* error */
    a[0] = 1;    /* right */"#,
    },
    Code {
        code: "E0309",
        title: "not an array",
        explanation: r#"Only arrays have an index; and an array cannot be a parameter of a proctype.

    byte x;
    x[0] = 1;    /* error */
    x = 1;       /* right */"#,
    },
    Code {
        code: "E0310",
        title: "wrong use of a record",
        explanation: r#"A record is used through its fields, except in messages and arguments, where its fields are passed
one by one; and the field must exist.

    typedef T { byte a }
    T t;
    t = 1;      /* error */
    t.b = 1;    /* error */
    t.a = 1;    /* right */"#,
    },
    Code {
        code: "E0311",
        title: "`_` is read",
        explanation: r#"`_` discards values; it cannot be read.

    x = _;     /* error */
    q?_, x;    /* right */"#,
    },
    Code {
        code: "E0312",
        title: "cannot be hidden",
        explanation: r#"Only global variables that are neither bits nor channels can be hidden.

    hidden bit b;     /* error */
    hidden byte b;    /* right */"#,
    },
    Code {
        code: "E0313",
        title: "channel used as a number",
        explanation: r#"A channel variable refers to a channel. It can be assigned, compared, sent and passed on; it cannot
be computed with, and takes no number except 0, which refers to no channel.

    chan c = [1] of { byte };
    c = c + 1;    /* error */"#,
    },
    Code {
        code: "E0314",
        title: "mtype of another set",
        explanation: r#"Constants of one `mtype:set` cannot be stored in variables of another.

    mtype:fruit = { apple }; mtype:color = { red };
    mtype:fruit f = red;      /* error */
    mtype:fruit f = apple;    /* right */"#,
    },
    Code {
        code: "E0315",
        title: "run in the wrong place",
        explanation: r#"`run` starts a process, so it is a statement of its own or the value of an assignment; not part of a
larger expression, of a d_step, of a claim or formula.

    assert(run P() > 0);    /* error */
    x = run P();            /* right */"#,
    },
    Code {
        code: "E0316",
        title: "unknown proctype",
        explanation: r#"No proctype of this name exists.

    run Sender();                   /* error */
    proctype Sender() { skip }      /* add it */"#,
    },
    Code {
        code: "E0317",
        title: "wrong number of arguments",
        explanation: r#"`run` needs a value for each parameter of the proctype; a record counts as its fields.

    proctype P(byte a, b) { skip }
    run P(1);       /* error */
    run P(1, 2);    /* right */"#,
    },
    Code {
        code: "E0318",
        title: "unknown label",
        explanation: r#"The process has no such label, or several inner blocks have one, so the label is ambiguous.

    goto nowhere;    /* error */"#,
    },
    Code {
        code: "E0319",
        title: "wrong number of message fields",
        explanation: r#"A message has as many fields as its channel was declared with; a record counts as its fields. SPIN
reports this only at run time: `missing pars in receive`.

    chan q = [1] of { byte, byte };
    q?x;       /* error: the second field is missing */
    q?x, _;    /* right */"#,
    },
    Code {
        code: "E0320",
        title: "misplaced break or else",
        explanation: r#"`break` leaves a `do` or `for`; `else` is the first statement of one option of an `if` or `do`.

    init { break }                               /* error */
    if :: x > 0 -> skip :: else -> skip fi       /* right */"#,
    },
    Code {
        code: "E0321",
        title: "jump into or out of a d_step",
        explanation: r#"A d_step is one step: no jump, `break` or `unless` leads out of it or into it.

    do :: d_step { x = 1; break } od      /* error */
    do :: d_step { x = 1 }; break od      /* right */"#,
    },
    Code {
        code: "E0322",
        title: "provided clause uses locals",
        explanation: r#"Whether a process may move is decided from outside: by global variables, `_pid` and `_priority`.

    proctype P(byte me) provided (turn == me) { skip }      /* error */
    proctype P() provided (turn == _pid) { skip }           /* right */"#,
    },
    Code {
        code: "E0323",
        title: "np_ outside of a claim",
        explanation: r#"`np_` says that no process is at a progress label. Only never claims and formulas can see it.

    init { np_ }                              /* error */
    never { do :: np_ :: true od }            /* right */"#,
    },
    Code {
        code: "E0324",
        title: "wrong statement in a claim",
        explanation: r#"A never claim only observes: it neither sends nor receives. A trace consists of sends and receives
only.

    never { q!1 }        /* error */
    never { q?[1] }      /* right: polls */"#,
    },
    Code {
        code: "E0325",
        title: "misplaced label",
        explanation: r#"A label for the first statement of a block stands before the block; a label for an `unless` stands
before the whole statement.

    atomic { L: x = 1; y = 1 }      /* error */
    L: atomic { x = 1; y = 1 }      /* right */"#,
    },
    Code {
        code: "E0326",
        title: "channel in the middle of a body",
        explanation: r#"A channel is created when its process starts, so its declaration stands before all statements.

    init { skip; chan q = [1] of { byte }; q!1 }      /* error */
    init { chan q = [1] of { byte }; skip; q!1 }      /* right */"#,
    },
    Code {
        code: "E0327",
        title: "nothing runs",
        explanation: r#"A model needs an `init` or at least one `active` proctype.

    proctype P() { skip }            /* error, alone */
    active proctype P() { skip }     /* right */"#,
    },
    Code {
        code: "E0328",
        title: "initial value reads a later variable",
        explanation: r#"Global variables get their values in the order of the text.

    byte x = y; byte y = 1;    /* error */
    byte y = 1; byte x = y;    /* right */"#,
    },
    Code {
        code: "E0329",
        title: "parameter with an initial value",
        explanation: r#"A parameter gets its value from `run`; those of active processes are 0.

    proctype P(byte x = 1) { skip }    /* error */
    proctype P(byte x) { skip }        /* right */"#,
    },
    Code {
        code: "E0330",
        title: "`_pid` or `_priority` outside of a process",
        explanation: r#"`_pid` and `_priority` are the number and the priority of the process that reads them. No process
reads a formula, a claim, a trace or the initial value of a global variable.

    ltl p { [] (turn == _pid) }    /* error */
    ltl p { [] (turn == 0) }       /* right: the number itself */"#,
    },
    Code {
        code: "W0101",
        title: "macro is defined again",
        explanation: r#"A macro has two different definitions; the later one counts from its line on. If that is intended,
write:

    #define N 2
    #undef N
    #define N 3"#,
    },
    Code {
        code: "W0102",
        title: "#warning",
        explanation: r#"The model itself warns here with `#warning`.

    #warning only two processes"#,
    },
    Code {
        code: "W0201",
        title: "number does not fit",
        explanation: r#"Numbers have 32 bits. A larger one loses its upper bits, as in SPIN.

    x = 4294967297;    /* read as 1 */"#,
    },
    Code {
        code: "W0202",
        title: "line begins a statement",
        explanation: r#"Promela ends a statement at the end of a line if it can. So a line that begins with `-` is a
statement of its own, a condition, and not a part of the line above.

    x = a
      - b     /* warned: the condition -b */
    x = a -
        b     /* right */"#,
    },
    Code {
        code: "W0301",
        title: "name hides another one",
        explanation: r#"A name is declared that already means something outside of the block. From here to the end of the
block the new one counts. SPIN refuses such models.

    byte x;
    init { byte x; x = 1 }    /* warned */"#,
    },
    Code {
        code: "W0303",
        title: "else beside a send or receive",
        explanation: r#"`else` is enabled if no other option is. Next to sends and receives that means: no partner is ready
at this moment, which depends on how fast the other processes are.

    if :: q?x -> skip :: else -> skip fi               /* warned */
    if :: nempty(q) -> q?x :: empty(q) -> skip fi      /* clear */"#,
    },
    Code {
        code: "W0304",
        title: "variable as a constant",
        explanation: r#"A variable stands where a constant is needed; its initial value is used, even if it changes later.

    byte N = 3;
    byte a[N];        /* warned */
    #define N 3       /* better */"#,
    },
    Code {
        code: "W0305",
        title: "index outside the array",
        explanation: r#"A constant index lies outside the array. If the statement is executed, that is a run-time error.

    byte a[3];
    a[3] = 1;    /* warned: 0, 1, 2 are right */"#,
    },
    Code {
        code: "W0306",
        title: "compares different mtypes",
        explanation: r#"Constants of different sets have the same numbers, so the comparison can be true by chance.

    mtype:fruit = { apple }; mtype:color = { red };
    f == red    /* warned, if f is a mtype:fruit */"#,
    },
    Code {
        code: "W0308",
        title: "format and values do not match",
        explanation: r#"Each `%d`, `%e`, `%c`, `%u`, `%x`, `%o` in the text of a `printf` takes one value.

    printf("%d %d", x);       /* warned */
    printf("%d %d", x, y);    /* right */"#,
    },
    Code {
        code: "W0309",
        title: "number does not fit",
        explanation: r#"A number is written that the variable cannot have. As in SPIN, the low bits of it are kept.

    byte b = 300;     /* warned: b is 44 */
    short s = 300;    /* right */"#,
    },
]);
