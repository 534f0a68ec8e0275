//! What a user sees for Java that is wrong or not modelled, as it is on the screen.
//!
//! After a change of a message: `UPDATE_EXPECT=1 cargo test -p everyweave-java --test messages`.

use expect_test::{Expect, expect};
use source::{Look, SourceMap, render};

fn check(body: &str, expected: Expect) {
    let mut map = SourceMap::new();
    let text = format!(
        "class A {{\n    Object f;\n    public static void main(String[] args) {{\n        {body}\n    }}\n}}\n"
    );
    let file = map.add("A.java", &*text);
    let (_, diagnostics) = java::read(&map, file);
    let shown: Vec<String> = diagnostics.iter().map(|d| render(&map, d, Look::Plain)).collect();
    expected.assert_eq(&(shown.join("\n\n") + "\n"));
}

#[test]
fn a_switch() {
    check(
        r"switch (1) { case 1: }",
        expect![[r#"
            error[E0802]: this switch expression is not modelled
             --> A.java:4:9
              |
            4 |         switch (1) { case 1: }
              |         ^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: write `if (…) … else if (…) … else …`
              = help: `weave explain E0802` says what is
        "#]],
    );
}

#[test]
fn a_missing_expression() {
    check(
        r"int x = ;",
        expect![[r#"
            error[E0801]: this is not Java
             --> A.java:4:15
              |
            4 |         int x = ;
              |               ^ cannot be read
              |
              = help: look for a missing `;`, `)` or quote just before it
        "#]],
    );
}

#[test]
fn an_unknown_field() {
    check(
        r"Object o = new A().g;",
        expect![[r#"
            error[E0803]: no variable or field `g`
             --> A.java:4:20
              |
            4 |         Object o = new A().g;
              |                    ^^^^^^^^^ not declared here
              |
              = help: did you mean `f`?
        "#]],
    );
}

#[test]
fn an_unknown_class() {
    check(
        r"new java.util.ArrayList();",
        expect![[r#"
        error[E0802]: a qualified name of a type is not modelled
         --> A.java:4:13
          |
        4 |         new java.util.ArrayList();
          |             ^^^^^^^^^^^^^^^^^^^
          |
          = help: import it, and write its simple name, `ArrayList`
    "#]],
    );
}

#[test]
fn a_loop_over_an_array() {
    check(
        r"for (Object o : args) {}",
        expect![[r#"
            error[E0802]: this enhanced for statement is not modelled
             --> A.java:4:9
              |
            4 |         for (Object o : args) {}
              |         ^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: `weave explain E0802` says what is
        "#]],
    );
}

#[test]
fn a_call_of_the_library() {
    check(
        r"Runtime.getRuntime().exit(1);",
        expect![[r#"
            error[E0802]: this method invocation is not modelled
             --> A.java:4:9
              |
            4 |         Runtime.getRuntime().exit(1);
              |         ^^^^^^^^^^^^^^^^^^^^
              |
              = help: `weave explain E0802` says what is
        "#]],
    );
}

#[test]
fn an_array_that_is_thrown() {
    check(
        r"throw args;",
        expect![[r#"
            error[E0802]: this throw statement is not modelled
             --> A.java:4:9
              |
            4 |         throw args;
              |         ^^^^^^^^^^^
              |
              = help: `weave explain E0802` says what is
        "#]],
    );
}

#[test]
fn an_annotation_that_cannot_be_read() {
    check(
        r"//@ rang x 0..3
        A a = new A();",
        expect![[r#"
            error[E0806]: no annotation `rang`
             --> A.java:4:13
              |
            4 |         //@ rang x 0..3
              |             ^^^^^^^^^^^ not known
              |
              = note: there are: exclusive, any, range, ltl, inv, pred, fair
              = help: did you mean `range`?
              = help: `weave explain E0806` says how they are written
        "#]],
    );
}

#[test]
fn an_unknown_method() {
    check(
        r"new A().run();",
        expect![[r#"
            error[E0802]: this method invocation is not modelled
             --> A.java:4:9
              |
            4 |         new A().run();
              |         ^^^^^^^^^^^^^
              |
              = help: `weave explain E0802` says what is
        "#]],
    );
}

#[test]
fn a_lambda() {
    check(
        r"java.util.function.Supplier s = () -> null;",
        expect![[r#"
        error[E0802]: a qualified name of a type is not modelled
         --> A.java:4:9
          |
        4 |         java.util.function.Supplier s = () -> null;
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: import it, and write its simple name, `Supplier`
    "#]],
    );
}
