/* A variable that is only written: optimisations may drop it from the state, which must not change the answer.
 * expect: holds
 * spin: 73 112
 */
byte written_only, x;

active [2] proctype P() {
  byte dead;
  dead = 7;
  written_only = dead;
  x++;
  dead = x;
  written_only = dead
}
