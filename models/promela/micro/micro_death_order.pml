/* Processes die in reverse order of birth: the older one that has finished stays, and counts, until the younger is gone.
 * expect: holds
 * spin: 13 14
 */
bool go;

proctype Old() {
  skip
}

proctype Young() {
  go
}

init {
  atomic { run Old(); run Young() };
  assert(_nr_pr == 3);
  timeout;                      /* Old has ended, but is still there */
  assert(_nr_pr == 3);
  go = true;
  _nr_pr == 1
}
