/* run starts a process with parameters and returns its number; parameters are copies, channels are references.
 * expect: holds
 * spin: 75 141
 */
byte sum;

proctype Add(byte a; short b; chan out) {
  a++;
  sum = sum + a;
  out ! b
}

init {
  chan c = [2] of { short };
  byte n = 5;
  pid first, second;
  short b;
  atomic {
    first = run Add(n, -1, c);
    second = run Add(n + 1, -2, c)
  };
  assert(first == 1 && second == 2 && n == 5);
  c ? b;
  c ? b;
  (_nr_pr == 1);
  assert(sum == 13)
}
