/* _last is the number of the process that took the last step (0 at the start); a model that reads it remembers it in its states.
 * expect: holds
 * spin: 19 27
 */
byte x;

active [2] proctype P() {
  x++;
  assert(_last == 0 || _last == 1)
}
