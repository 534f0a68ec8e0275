/* A d_step that never ends. SPIN's verifier hangs.
 * expect: violated
 * expect runtime: violated
 */
bit x;

active proctype P() {
  d_step {
    do
    :: x = 1 - x
    od
  }
}
