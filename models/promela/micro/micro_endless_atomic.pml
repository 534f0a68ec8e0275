/* An atomic block that never ends: no other process ever moves again, which is strange but no error; two states inside, no deadlock.
 * SPIN stores no states inside atomic and runs on to its depth limit: "max search depth too small".
 * expect: holds
 */
bit x;

active proctype P() {
  atomic {
    do
    :: x = 1 - x
    od
  }
}

active proctype Q() {
  assert(x == 0)
}
