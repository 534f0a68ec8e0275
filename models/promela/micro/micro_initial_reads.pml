/* Initial values that read: a global declared before, the length of a channel, a variable and a label of another process, who moved last.
 * expect: holds
 */
byte one = 1;
byte two = one + 1;
chan q = [1] of { byte };
byte length = len(q), go;

proctype P() {
  byte x;
  x = 1;
  x = 2;
  go = 1;
end:
  false
}

proctype Q() {
  byte y = P[1]:x, who = _last;
  bool there = P[1]@end;
  assert(y == 2 && who == 0 && there)
}

init {
  assert(two == 2 && length == 0);
  run P();
  go == 1;
  run Q()
}
