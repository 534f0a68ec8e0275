/* A process that starts itself: the Promela way to recursion; results come back over a channel of the caller.
 * expect: holds
 * spin: 75 117
 */
proctype Factorial(byte n; chan result) {
  chan below = [1] of { int };
  int r;
  if
  :: n <= 1 -> result ! 1
  :: else ->
     run Factorial(n - 1, below);
     below ? r;
     result ! n * r
  fi
}

init {
  chan c = [1] of { int };
  int r;
  run Factorial(6, c);
  c ? r;
  assert(r == 720)
}
