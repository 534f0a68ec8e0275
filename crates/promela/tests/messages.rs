//! What a user sees for typical mistakes in Promela, as it is on the screen.
//!
//! After a change of a message: `UPDATE_EXPECT=1 cargo test -p everyweave-promela --test messages`.

use expect_test::{Expect, expect};
use source::{Look, SourceMap, render};

fn check(text: &str, expected: Expect) {
    let mut map = SourceMap::new();
    let file = map.add("model.pml", text);
    let (_, diagnostics) = promela::read(&mut map, file, &promela::NoFiles, &[]);
    let shown: Vec<String> = diagnostics.iter().map(|d| render(&map, d, Look::Plain)).collect();
    expected.assert_eq(&(shown.join("\n\n") + "\n"));
}

#[test]
fn an_unknown_variable() {
    check(
        r"byte count;
init { coutn = 1 }
",
        expect![[r#"
            error[E0301]: no variable or constant named `coutn`
             --> model.pml:2:8
              |
            2 | init { coutn = 1 }
              |        ^^^^^ not declared
              |
              = help: did you mean `count`?
        "#]],
    );
}

#[test]
fn a_missing_parenthesis() {
    check(
        r"proctype P { skip }
",
        expect![[r#"
            error[E0201]: expected `(`, found `{`
             --> model.pml:1:12
              |
            1 | proctype P { skip }
              |            ^
        "#]],
    );
}

#[test]
fn a_send_to_a_variable() {
    check(
        r"byte q;
init { q!1 }
",
        expect![[r#"
            error[E0306]: `q` is not a channel
             --> model.pml:2:8
              |
            2 | init { q!1 }
              |        ^
        "#]],
    );
}

#[test]
fn a_wrong_number_of_message_fields() {
    check(
        r"chan q = [1] of { byte, byte };
init { q!1 }
",
        expect![[r#"
            error[E0319]: a message of `q` has 2 fields, 1 are sent
             --> model.pml:2:8
              |
            1 | chan q = [1] of { byte, byte };
              |          --------------------- the channel is declared here
            2 | init { q!1 }
              |        ^ field 2 is missing
        "#]],
    );
}

#[test]
fn a_jump_out_of_a_d_step() {
    check(
        r"init {
  d_step { goto out; skip };
  out: skip
}
",
        expect![[r#"
            error[E0321]: jump out of a d_step
             --> model.pml:2:17
              |
            2 |   d_step { goto out; skip };
              |                 ^^^
            3 |   out: skip
              |   --- to this label
              |
              = help: use `atomic`, or jump before or after the d_step
        "#]],
    );
}

#[test]
fn a_missing_label() {
    check(
        r"init { goto L }
",
        expect![[r#"
            error[E0318]: no label named `L` in this process
             --> model.pml:1:13
              |
            1 | init { goto L }
              |             ^ not declared
        "#]],
    );
}

#[test]
fn a_break_outside_of_a_loop() {
    check(
        r"init { break }
",
        expect![[r#"
            error[E0320]: `break` outside of a loop
             --> model.pml:1:8
              |
            1 | init { break }
              |        ^^^^^
        "#]],
    );
}

#[test]
fn a_break_that_leaves_a_d_step() {
    check(
        r"init { do :: d_step { skip; break } od }
",
        expect![[r#"
            error[E0321]: `break` leaves a d_step
             --> model.pml:1:29
              |
            1 | init { do :: d_step { skip; break } od }
              |                             ^^^^^
              |
              = help: use `atomic`, or put the `break` after the d_step
        "#]],
    );
}

#[test]
fn a_label_at_the_start_of_a_block() {
    check(
        r"init { atomic { L: skip; skip } }
",
        expect![[r#"
            error[E0325]: label `L` stands at the start of an atomic
             --> model.pml:1:17
              |
            1 | init { atomic { L: skip; skip } }
              |                 ^
              |
              = help: put the label before the whole block
        "#]],
    );
}

#[test]
fn a_whole_array_assigned() {
    check(
        r"byte a[3];
init { a = 1 }
",
        expect![[r#"
            error[E0308]: `a` is an array of 3: an index is missing
             --> model.pml:2:8
              |
            2 | init { a = 1 }
              |        ^
              |
              = help: write `a[0]`
        "#]],
    );
}

#[test]
fn an_inline_that_calls_itself() {
    check(
        r"inline f() { f() }
init { f() }
",
        expect![[r#"
            error[E0211]: inline `f` calls itself
             --> model.pml:1:14
              |
            1 | inline f() { f() }
              |              ^^^
            2 | init { f() }
              |        --- first call
              |
              = help: use a loop, or a proctype that runs itself
        "#]],
    );
}

#[test]
fn an_open_string() {
    check(
        r#"init { printf("hello) }
"#,
        expect![[r#"
            error[E0103]: string is not closed
             --> model.pml:1:15
              |
            1 | init { printf("hello) }
              |               ^^^^^^^^^ starts here

            error[E0201]: expected a string, found the end of the file
             --> model.pml:1:25
              |
            1 | init { printf("hello) }
              |                        ^
        "#]],
    );
}

#[test]
fn a_file_that_cannot_be_included() {
    check(
        r#"#include "defs.h"
init { skip }
"#,
        expect![[r#"
            error[E0113]: cannot include "defs.h": no files can be included here
             --> model.pml:1:1
              |
            1 | #include "defs.h"
              | ^^^^^^^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn a_temporal_operator_that_binds_too_tightly() {
    check(
        r"byte x;
init { x = 1 }
ltl p { [] x == 1 }
",
        expect![[r#"
            error[E0215]: a temporal formula has no value to compute with
             --> model.pml:3:14
              |
            3 | ltl p { [] x == 1 }
              |         ---- ^^
              |         |
              |         this is a temporal formula
              |
              = help: prefix operators bind tightly: write `[] (x == 1)`, not `[] x == 1`
        "#]],
    );
}

#[test]
fn two_mistakes_in_one_model() {
    check(
        r"mtype = { red };
mtype = { red };
init { run Q(3) }
",
        expect![[r#"
            error[E0302]: `red` is declared twice
             --> model.pml:2:11
              |
            1 | mtype = { red };
              |           --- first declared here
            2 | mtype = { red };
              |           ^^^ declared again

            error[E0316]: no proctype named `Q`
             --> model.pml:3:12
              |
            3 | init { run Q(3) }
              |            ^ not declared
        "#]],
    );
}
