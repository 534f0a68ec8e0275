//! What each diagnostic code of SPL and of transition systems means.

use source::{Code, CodeTable};

/// All codes: 70 syntax, 71 names, 72 types, 73 statements, 74 specifications, 75 diagrams.
pub const CODES: CodeTable = CodeTable(&[
    Code {
        code: "E0701",
        title: "comment is not closed",
        explanation: r#"A comment that begins with `(*` runs to the next `*)`, one that begins with `/*` to the next `*/`.

    (* a comment      (* error: add the closing mark *)"#,
    },
    Code {
        code: "E0702",
        title: "unexpected character",
        explanation: r#"SPL does not use this character, except in comments.

    x := 3 $ 4      (* error *)

Logical signs are written in ASCII: `~`, `/\`, `\/`, `-->`, `[]`, `<>`."#,
    },
    Code {
        code: "E0703",
        title: "something else is expected here",
        explanation: r#"The text does not follow the grammar here; the message says what is expected.

    l0: x = 1      (* error: this compares *)
    l0: x := 1     (* right: this assigns *)"#,
    },
    Code {
        code: "E0704",
        title: "nested too deeply",
        explanation: r#"Brackets and operators nest more than 200 levels deep, or one formula has more than 20,000
operators. Name the inner parts, for instance with `macro`."#,
    },
    Code {
        code: "E0705",
        title: "there is no program",
        explanation: r#"The files contain neither a program nor a transition, so there are no runs to check.

    local x : int where x = 0
    PROPERTY p : [](x = 0)          (* error: of what? *)

Write a program, `P:: [ l0: x := 1 ]`, or transitions,
`Transition t Just: enable x = 0 assign x := 1`."#,
    },
    Code {
        code: "E0710",
        title: "no such name",
        explanation: r#"The name is neither a variable, nor a value, nor a label of the program.

    local x : int
    l0: y := 1       (* error: no variable y *)

Labels can be used only in specifications, as `l3`, `at_l3`, or `l3[i]` in a parameterized process."#,
    },
    Code {
        code: "E0711",
        title: "no such type",
        explanation: r#"Types are bool, int, real, ranges [1..N], enumerations {a, b}, arrays, records, lists, queues,
channels, and those that `type` defines. Define a type before you use it.

    local x : colour                  (* error *)
    type colour = {red, green}        (* before it: right *)"#,
    },
    Code {
        code: "E0712",
        title: "a message is a value, or a record of values",
        explanation: r#"Channels carry numbers, truth values, values of enumerations, arrays and records of these, but not
channels or functions.

    local c : channel [1..] of record {x : int; back : channel of int}      (* error *)

Number the channels in an array, and send the number."#,
    },
    Code {
        code: "E0713",
        title: "declared twice",
        explanation: r#"Two things in the same block have the same name.

    local x : int
    local x : bool      (* error *)"#,
    },
    Code {
        code: "E0714",
        title: "only a value can be a function",
        explanation: r#"Functions are rigid: they do not change while the program runs.

    local f : int --> int      (* error *)
    value f : int --> int      (* right *)"#,
    },
    Code {
        code: "E0715",
        title: "a datatype in the wrong place",
        explanation: r#"A datatype is defined with a name, and contains itself only as a field of a constructor: not inside
a list, an array or a record that is a field, and not through another type.

    local t : data {leaf | node(left, right : int)}         (* error: no name *)
    type rose = data {rose(below : list of rose)}           (* error: in a list *)
    type tree = data {leaf | node(left, right : tree)}      (* right *)"#,
    },
    Code {
        code: "E0716",
        title: "a datatype without finite values",
        explanation: r#"Values of a datatype are finite trees: at least one constructor must have no field of the type
itself.

    type stream = data {stream(first : int; rest : stream)}               (* error *)
    type list   = data {nothing | some(first : int; others : list)}      (* right *)"#,
    },
    Code {
        code: "E0720",
        title: "types do not agree",
        explanation: r#"An expression does not have the type that is required here.

    local b : bool
    l0: b := 3       (* error: expected bool, found int *)

In arithmetic a truth value is 0 or 1: `l0 + l1 = 1`."#,
    },
    Code {
        code: "E0721",
        title: "a temporal operator inside an assertion",
        explanation: r#"Temporal operators are about runs, assertions are about single states.

    await <>(x = 0)      (* error: programs test states *)
    PROPERTY p : <>(x = 0)      (* right *)"#,
    },
    Code {
        code: "E0722",
        title: "a name cannot be used in this way",
        explanation: r#"A name is used in a way that its kind does not allow: a function without arguments, a channel as a
value, an assignment to a constant, a label of a parameterized process without an index.

    PROPERTY p : []~l3                       (* error if the process is P[i] *)
    PROPERTY p : [] Forall i:[1..N]. ~l3[i]  (* right *)"#,
    },
    Code {
        code: "E0730",
        title: "cannot be part of a grouped statement",
        explanation: r#"A grouped statement `<S1; S2>` is one step: it cannot contain loops, parallel statements, or
statements that may never end.

    < while x > 0 do x := x - 1 >      (* error *)"#,
    },
    Code {
        code: "E0731",
        title: "a multiple assignment with a different number of values",
        explanation: r#"A multiple assignment gives each place one value.

    (x, y) := (1, 2, 3)      (* error *)
    (x, y) := (1, 2)         (* right *)"#,
    },
    Code {
        code: "E0733",
        title: "more than one synchronous communication",
        explanation: r#"A grouped statement has at most one synchronous communication.

    < a <= 1; b <= 2 >      (* error if both channels are synchronous *)"#,
    },
    Code {
        code: "E0734",
        title: "the number of processes depends on another process",
        explanation: r#"`||[i:1..N] P[i]:: S` may stand inside a process, also inside a replicated one; but its bounds must
be the same for all of them.

    ||[i:1..3] P[i]:: [ l0: skip; [ ||[j:1..i] l1: skip ] ]      (* error *)
    ||[i:1..3] P[i]:: [ l0: skip; [ ||[j:1..3] l1: when j <= i do skip ] ]"#,
    },
    Code {
        code: "E0735",
        title: "a label is used twice",
        explanation: r#"A label names one location of the program.

    l0: x := 1; l0: y := 1      (* error *)"#,
    },
    Code {
        code: "E0737",
        title: "sender and receiver change the same variable",
        explanation: r#"A synchronous communication is one step of both processes; it cannot give one variable two values.

    < c <= 1; x := 1 >  ||  < c => y; x := 2 >      (* error *)"#,
    },
    Code {
        code: "E0738",
        title: "a grouped statement becomes too large",
        explanation: r#"A grouped statement is one step. Every path through it is one case of that step, with all that was
computed on it; more than 4,096 paths, or formulas with more than a million operators, are refused.

    < x := x + x; x := x + x; … >      (* each line doubles what x becomes *)

Compute in several steps, or write the result: `< x := 1024 * x >`."#,
    },
    Code {
        code: "E0739",
        title: "a statement macro would mean something else",
        explanation: r#"A call of `macro NAME(parameters) do S` is S with the arguments in the place of the parameters. So S
has no labels, as each call would have them again, and no argument speaks of a name that S declares.

    macro swap(a, b) do [ local t : int; t := a; a := b; b := t ]
    l0: swap(t, u)      (* error: rename the t of the macro *)"#,
    },
    Code {
        code: "E0740",
        title: "a temporal operator inside a quantifier",
        explanation: r#"Quantifiers may stand only inside assertions. A `Forall` directly under `[]` is moved outside, since
its values do not change.

    PROPERTY p : Exists i:[1..N]. <> l3[i]             (* error *)
    PROPERTY q : [] Forall i:[1..N]. (l2[i] --> <>l3[i])   (* right *)"#,
    },
    Code {
        code: "E0741",
        title: "no such property",
        explanation: r#"A proof names a property that the file does not state.

    PROPERTY mux : []~(l3 /\ m3)
    PROOF muxx : B-INV      (* error *)"#,
    },
    Code {
        code: "E0742",
        title: "a bound changes while the program runs",
        explanation: r#"The bounds of arrays, of ranges, of families of processes and of a `Forall` outside of temporal
operators are fixed when the program begins. They must not contain a variable that a statement
assigns to.

    local n : int where n = 2
    l0: n := n - 1 || ||[i:1..n] P[i]::[ … ]                (* error *)
    PROPERTY p : Forall i:[1..n]. [](x >= i)                (* error *)
    PROPERTY q : Forall i:[1..9]. [](i <= n --> x >= i)     (* right *)"#,
    },
    Code {
        code: "E0743",
        title: "undefined in every state",
        explanation: r#"A formula of a property, an axiom or an initial condition is undefined in every state: an index
outside its array, a division by zero, the first element of `nil`.

    local a : array [1..2] of int
    PROPERTY p : [](a[3] = 0)      (* error: there is no a[3] *)"#,
    },
    Code {
        code: "E0744",
        title: "reserved name",
        explanation: r#"`pi0`, `pi1`, … are the control variables of a program: the location of its first process, of its
second one, and so on. Properties may use them; nothing else can have these names.

    local pi0 : int      (* error *)"#,
    },
    Code {
        code: "E0745",
        title: "ambiguous name",
        explanation: r#"A property names a variable that several blocks declare, or a label that is also the name of a
variable.

    P1::[ local x : int; l0: x := 1 ] || P2::[ local x : int; m0: x := 9 ]
    PROPERTY p : [](x < 9)      (* error: the x of which process? *)

Rename one of them. `at_l2` always means that control is at the label `l2`."#,
    },
    Code {
        code: "E0746",
        title: "a place is assigned to twice at once",
        explanation: r#"The places of one assignment must differ. An array and its element are not different places.

    l0: (x, x) := (1, 2)           (* error *)
    l1: (a, a[1]) := (b, 0)        (* error *)
    l2: (a[i], a[j]) := (1, 2)     (* right; if i = j, a[j] is 2 *)"#,
    },
    Code {
        code: "E0747",
        title: "a program beside transitions",
        explanation: r#"A file describes a program, or a transition system. Statements after a transition belong to neither.

    Transition t Just:
      enable x < 3
      x := x + 1           (* error *)
      assign x := x + 1    (* right *)"#,
    },
    Code {
        code: "E0751",
        title: "no such kind of diagram",
        explanation: r#"A diagram is of the kind invariance, wait-for, chain, rank or generalized.

    DIAGRAM acc : chains { … }      (* error *)
    DIAGRAM acc : chain { … }       (* right *)"#,
    },
    Code {
        code: "E0752",
        title: "a diagram names something that does not exist",
        explanation: r#"Edges lead from nodes to nodes of the same diagram, and their labels are transitions of the
program: the labels of its statements. The edges of `streett` stand before it.

    DIAGRAM mux : invariance {
      node 0 : l0
      edge 0 -> 1        (* error: no node 1 *)
    }"#,
    },
    Code {
        code: "E0753",
        title: "a rank from no well-founded domain",
        explanation: r#"What goes down again and again must end: ranks are whole numbers that are never negative, tuples of
them, or sets of numbers within bounds. Fractions go down endlessly.

    node 1 : l5 rank n, 1                      (* right *)
    node 1 : l5 rank {i:[1..N] | l2[i]}        (* right: the set of waiting processes *)
    node 1 : l5 rank n / 2.0                   (* error *)"#,
    },
    Code {
        code: "E0754",
        title: "a part that does not belong to this kind of diagram",
        explanation: r#"Only generalized diagrams have `initial`, `accept` and `streett`, and only one kind of acceptance.
Only wait-for, chain and rank diagrams have terminal nodes. Only in chain and rank diagrams a label
names one transition of a family, `l1[i]`; in the others a label is the family.

    DIAGRAM mux : invariance {
      node 0 : l0
      accept {0}        (* error *)
    }"#,
    },
    Code {
        code: "W0732",
        title: "an input is assigned to",
        explanation: r#"Inputs belong to the environment; a program that changes one is accepted, because published programs
do this.

    in n : int where n > 0
    l5: n := n - 1      (* warning *)

Declare it `local` to say that the program may change it."#,
    },
    Code {
        code: "W0736",
        title: "no partner at the other end",
        explanation: r#"A synchronous communication needs a partner in a parallel process; this statement has none and stays
blocked.

    local c : channel of int
    P1:: [ l0: c <= 1 ]      (* warning if no process receives from c *)"#,
    },
    Code {
        code: "W0750",
        title: "the system may not mean what was intended",
        explanation: r#"No state is initial, axioms contradict each other, a transition can never be taken, or a step may
violate an axiom. A proof about such a system may hold for the wrong reason. An axiom about the
state is used only if it is proved to hold always: one that a step may violate is not used, and a
property that relies on it is unknown.

    local x : int where x > 0, x < 0      (* warning: no state is initial *)"#,
    },
]);
