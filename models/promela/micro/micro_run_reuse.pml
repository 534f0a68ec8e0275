/* A number may come back: if the first process has died before the second starts, both get number 1.
 * SPIN with its default reduction misses the violation (like its issue 78); its full search finds it.
 * expect: violated
 * expect assertion: violated
 * spin: 25 39
 */
byte ran;

proctype Short() {
  ran++
}

init {
  pid first, second;
  first = run Short();
  second = run Short();
  assert(first != second)
}
