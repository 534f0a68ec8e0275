//! Atomic sequences that need not end: everything they can reach is reached, in reasonable time.

use crate::steppers::complaints;
use crate::subjects::subject;

#[test]
fn loops_inside_atomic_are_followed_to_every_exit() {
    let texts = [
        "byte x; init { atomic { do :: x = (x + 1) % 5 :: break od } assert(x != 4) }",
        "byte x; active [2] proctype P() { atomic { do :: x < 3 -> x++ :: x > 0 -> x-- :: x == 2 -> break od } }",
        "byte x, y; active proctype P() { atomic { do :: x = (x + 1) % 6 :: y = (y + 1) % 6 :: x == 3 && y == 2 -> break od } }
         active proctype Q() { assert(x != 3 || y == 0) }",
        "chan a = [0] of { bit }; byte n, x; active proctype P() { bit i; atomic { do :: n < 100 -> n++ :: n == 100 -> break od;
             do :: i = 0 :: a!0 od } }
         active proctype Q() { bit i; atomic { a?i; do :: a?i :: n == 100 -> x = 1; assert(false) od } }",
        "byte x; chan c = [1] of { byte }; init { atomic { do :: c!1 :: c?_ :: x = 1 - x :: goto out od } out: x == 2 }",
    ];
    for text in texts {
        let subject = subject("endless", text).unwrap();
        assert_eq!(complaints(&subject, 1000), Some(Vec::new()), "{text}");
    }
}
