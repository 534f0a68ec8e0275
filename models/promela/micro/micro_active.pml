/* active [N] starts N copies before anything runs; numbers are given in the order of the text; init comes in its place.
 * expect: holds
 * spin: 148 406
 */
byte seen;

active [2] proctype First() {
  assert(_pid == 0 || _pid == 1);
  seen = seen + 1 + _pid
}

active proctype Second() {
  assert(_pid == 2);
  seen = seen + 10
}

init {
  assert(_pid == 3 && _nr_pr <= 4);
  _nr_pr == 4 || seen > 0;
  seen = seen + 100
}
