/* SPIN's issue 83: a deadlock in the very first state; SPIN's replay counts "-4 steps", after breadth-first search
 * "transition failed". A counterexample of no steps is a counterexample.
 * expect: violated
 * expect deadlock: violated
 * spin: 1 1
 */
byte stock;

active [2] proctype Buyer() {
  stock > 0 -> stock--
}
