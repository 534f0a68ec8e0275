/* Channels as parameters: a pipeline whose stages do not know each other.
 * expect: holds
 * spin: 22 30
 */
proctype Stage(chan in, out) {
  byte v;
end:
  do
  :: in ? v -> out ! v + 1
  od
}

init {
  chan a = [1] of { byte };
  chan b = [0] of { byte };
  chan c = [1] of { byte };
  byte v;
  atomic { run Stage(a, b); run Stage(b, c) };
  a ! 1;
  a ! 5;
  c ? v; assert(v == 3);
  c ? v; assert(v == 7)
}
