/* _pid is the own number, _nr_pr the number of living processes; a number is used again only after its owner has died.
 * expect: holds
 * spin: 23 23
 */
proctype Child() {
  assert(_pid == 1 && _nr_pr == 2)
}

init {
  byte i;
  assert(_pid == 0 && _nr_pr == 1);
  for (i : 1 .. 3) {
    run Child();
    _nr_pr == 1
  }
}
