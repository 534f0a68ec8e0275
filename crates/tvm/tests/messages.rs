//! What a user sees for typical mistakes in `.tvm`, as it is on the screen.
//!
//! After a change of a message: `UPDATE_EXPECT=1 cargo test -p everyweave-tvm --test messages`.

use expect_test::{Expect, expect};
use source::{Look, SourceMap, render};

fn check(text: &str, expected: Expect) {
    let mut map = SourceMap::new();
    let file = map.add("model.tvm", text);
    let (_, diagnostics) = tvm::read(&map, file);
    let shown: Vec<String> = diagnostics.iter().map(|d| render(&map, d, Look::Plain)).collect();
    expected.assert_eq(&(shown.join("\n\n") + "\n"));
}

#[test]
fn an_open_parenthesis() {
    check(
        r"predicate p(x
",
        expect![[r#"
            error[E0901]: expected `)`, found the end of the file
             --> model.tvm:1:15
              |
            1 | predicate p(x
              |            - ^ here
              |            |
              |            this `(` is probably not closed
              |
              = help: write the missing `)`

            error[E0911]: no `initial` structure
             --> model.tvm:1:1
              |
            1 | predicate p(x
              | ^
              |
              = help: initial { node t: … }
        "#]],
    );
}

#[test]
fn an_unknown_set() {
    check(
        r"foreach (l in Locks) { predicate p[l] }
initial { node t }
",
        expect![[r#"
            error[E0902]: no set `Locks`
             --> model.tvm:1:15
              |
            1 | foreach (l in Locks) { predicate p[l] }
              |               ^^^^^ not declared
              |
              = help: declare it: set Locks = { … }
        "#]],
    );
}

#[test]
fn a_variable_that_is_not_bound() {
    check(
        r"predicate p(x)
invariant i = p(y)
initial { node t }
",
        expect![[r#"
            error[E0903]: no variable `y`
             --> model.tvm:2:17
              |
            2 | invariant i = p(y)
              |                 ^ not bound here
        "#]],
    );
}

#[test]
fn an_unknown_predicate() {
    check(
        r"predicate held(x)
invariant i = exists x . hold(x)
initial { node t }
",
        expect![[r#"
            error[E0904]: no predicate `hold`
             --> model.tvm:2:26
              |
            2 | invariant i = exists x . hold(x)
              |                          ^^^^ not declared
              |
              = help: did you mean `held`?
        "#]],
    );
}

#[test]
fn a_missing_argument() {
    check(
        r"predicate p(x)
invariant i = p
initial { node t }
",
        expect![[r#"
            error[E0905]: `p` takes 1 argument, not 0
             --> model.tvm:2:15
              |
            1 | predicate p(x)
              |           - declared here
            2 | invariant i = p
              |               ^ wrong number of arguments
              |
              = help: write `p(x)`
        "#]],
    );
}

#[test]
fn a_predicate_declared_twice() {
    check(
        r"predicate p
predicate p
initial { node t }
",
        expect![[r#"
            error[E0907]: `p` is declared twice
             --> model.tvm:2:11
              |
            2 | predicate p
              |           ^ the second time
        "#]],
    );
}

#[test]
fn three_arguments() {
    check(
        r"predicate p(x, y, z)
initial { node t }
",
        expect![[r#"
            error[E0908]: `p` has 3 arguments
             --> model.tvm:1:11
              |
            1 | predicate p(x, y, z)
              |           ^ at most two are possible
              |
              = help: use several binary predicates, or an individual for the tuple
        "#]],
    );
}

#[test]
fn an_attribute_of_binary_predicates() {
    check(
        r"predicate p(x) function
initial { node t }
",
        expect![[r#"
            error[E0909]: `function` is for predicates with 2 arguments
             --> model.tvm:1:16
              |
            1 | predicate p(x) function
              |                ^^^^^^^^
        "#]],
    );
}

#[test]
fn no_initial_structure() {
    check(
        r"predicate p(x)
",
        expect![[r#"
            error[E0911]: no `initial` structure
             --> model.tvm:1:1
              |
            1 | predicate p(x)
              | ^
              |
              = help: initial { node t: … }
        "#]],
    );
}

#[test]
fn an_unknown_action() {
    check(
        r"predicate p(x)
thread t { l0: lock -> l1 }
initial { node t: at[l0] }
",
        expect![[r#"
            error[E0913]: no action `lock`
             --> model.tvm:2:16
              |
            2 | thread t { l0: lock -> l1 }
              |                ^^^^ not declared
        "#]],
    );
}

#[test]
fn a_constraint_that_cannot_be_enforced() {
    check(
        r"predicate p(x)
predicate q(x)
constraint p(x) => p(x) & q(x)
initial { node t }
",
        expect![[r#"
            error[E0912]: this cannot be enforced
             --> model.tvm:3:20
              |
            3 | constraint p(x) => p(x) & q(x)
              |                    ^^^^^^^^^^^
              |
              = help: after `=>` comes a literal, an equality or 0
        "#]],
    );
}
