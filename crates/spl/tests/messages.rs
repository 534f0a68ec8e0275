//! What a user sees for typical mistakes in SPL, as it is on the screen.
//!
//! After a change of a message: `UPDATE_EXPECT=1 cargo test -p everyweave-spl --test messages`.

use expect_test::{Expect, expect};
use source::{Look, SourceMap, render};

fn check(text: &str, expected: Expect) {
    let mut map = SourceMap::new();
    let file = map.add("program.spl", text);
    let (_, diagnostics) = spl::read(&map, &[file]);
    let shown: Vec<String> = diagnostics.iter().map(|d| render(&map, d, Look::Plain)).collect();
    expected.assert_eq(&(shown.join("\n\n") + "\n"));
}

#[test]
fn a_comparison_for_an_assignment() {
    check(
        r"local x : int where x = 0
P:: [ l0: x = 1 ]
",
        expect![[r#"
            error[E0703]: expected `:=`, `<=` or `=>`, found `=`
             --> program.spl:2:13
              |
            2 | P:: [ l0: x = 1 ]
              |             ^ `:=`, `<=` or `=>` expected here
              |
              = help: an assignment is `x := e`; `=` compares
        "#]],
    );
}

#[test]
fn an_unknown_variable() {
    check(
        r"local x : int where x = 0
P:: [ l0: y := 1 ]
",
        expect![[r#"
            error[E0710]: no variable or label `y`
             --> program.spl:2:11
              |
            2 | P:: [ l0: y := 1 ]
              |           ^ not declared
              |
              = help: did you mean `x`?
        "#]],
    );
}

#[test]
fn an_unknown_type() {
    check(
        r"local x : colour
P:: [ l0: skip ]
",
        expect![[r#"
            error[E0711]: no type `colour`
             --> program.spl:1:11
              |
            1 | local x : colour
              |           ^^^^^^
              |
              = help: define it, before it is used: type colour = …
        "#]],
    );
}

#[test]
fn a_number_for_a_truth_value() {
    check(
        r"local b : bool
P:: [ l0: b := 3 ]
",
        expect![[r#"
            error[E0720]: expected bool, found int
             --> program.spl:2:16
              |
            2 | P:: [ l0: b := 3 ]
              |                ^
        "#]],
    );
}

#[test]
fn no_program() {
    check(
        r"local x : int where x = 0
PROPERTY p : [](x = 0)
",
        expect![[r#"
            error[E0705]: there is no program
             --> program.spl:1:1
              |
            1 | local x : int where x = 0
              | ^
              |
              = help: write a program, `P:: [ … ]`, or transitions, `Transition t Just: …`
        "#]],
    );
}

#[test]
fn a_name_declared_twice() {
    check(
        r"local x : int
local x : bool
P:: [ l0: skip ]
",
        expect![[r#"
            error[E0713]: `x` is declared twice
             --> program.spl:2:7
              |
            2 | local x : bool
              |       ^
        "#]],
    );
}

#[test]
fn a_loop_in_a_grouped_statement() {
    check(
        r"local x : int where x = 3
P:: [ l0: < while x > 0 do x := x - 1 > ]
",
        expect![[r#"
            error[E0730]: a loop or a parallel statement cannot be part of a grouped statement
             --> program.spl:2:13
              |
            2 | P:: [ l0: < while x > 0 do x := x - 1 > ]
              |             ^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: a grouped statement `<…>` is one step
        "#]],
    );
}

#[test]
fn a_temporal_operator_in_a_program() {
    check(
        r"local x : int where x = 0
P:: [ l0: await <>(x = 0) ]
",
        expect![[r#"
            error[E0721]: a temporal operator inside an assertion
             --> program.spl:2:17
              |
            2 | P:: [ l0: await <>(x = 0) ]
              |                 ^^^^^^^^^
              |
              = help: temporal operators stand outside of quantifiers, comparisons and programs
        "#]],
    );
}

#[test]
fn a_label_used_twice() {
    check(
        r"local x : int where x = 0
P:: [ l0: x := 1; l0: x := 2 ]
",
        expect![[r#"
            error[E0735]: label `l0` is used twice
             --> program.spl:2:19
              |
            2 | P:: [ l0: x := 1; l0: x := 2 ]
              |       --          ^^
              |       |
              |       first here
        "#]],
    );
}

#[test]
fn an_index_outside_its_array() {
    check(
        r"local a : array [1..2] of int
P:: [ l0: a[1] := 1 ]
PROPERTY p : [](a[3] = 0)
",
        expect![[r#"
            error[E0743]: undefined in every state: it is not true that the index `3` lies in [1..2]
             --> program.spl:3:19
              |
            3 | PROPERTY p : [](a[3] = 0)
              |                   ^
        "#]],
    );
}

#[test]
fn a_send_without_a_partner() {
    check(
        r"local c : channel of int
P:: [ l0: c <= 1 ]
",
        expect![[r#"
            warning[W0736]: no process is at the other end of this channel
             --> program.spl:2:7
              |
            2 | P:: [ l0: c <= 1 ]
              |       ^^^^^^^^^^
        "#]],
    );
}

#[test]
fn too_few_values() {
    check(
        r"local x, y : int
P:: [ l0: (x, y) := (1, 2, 3) ]
",
        expect![[r#"
            error[E0731]: 2 places are assigned, but there are 3 values
             --> program.spl:2:7
              |
            2 | P:: [ l0: (x, y) := (1, 2, 3) ]
              |       ^^^^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
}
