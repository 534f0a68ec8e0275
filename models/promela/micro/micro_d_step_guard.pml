/* A d_step is executable if its first statement is: it may wait at its beginning, and only there.
 * expect: holds
 * spin: 27 33
 */
byte sem = 1, inside;

active [2] proctype P() {
  d_step { sem > 0 -> sem-- };
  inside++;
  assert(inside == 1);
  inside--;
  d_step { sem++ }
}
