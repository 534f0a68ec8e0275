/* run as the guard of an option: the process starts if the option is taken.
 * expect: holds
 * spin: 12 16
 */
byte started;

proctype Child() {
  started++
}

init {
  if
  :: run Child() -> started < 2 || started == 2
  fi;
  started == 1;
  assert(_nr_pr <= 2)
}
