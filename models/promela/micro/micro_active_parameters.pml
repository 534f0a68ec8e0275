/* Parameters of an active process start as 0.
 * expect: holds
 * spin: 5 5
 */
active proctype P(byte a; short b) {
  assert(a == 0 && b == 0);
  a = 1;
  b = a
}
