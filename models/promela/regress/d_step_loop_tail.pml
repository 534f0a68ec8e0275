/* A d_step that never ends and whose loop does not begin with its first statement: the run that shows it is found again.
 * expect: violated
 */
byte i;

active proctype P() {
  d_step { i = 1; do :: i < 9 -> i++ :: i == 9 -> i = 4 od }
}
