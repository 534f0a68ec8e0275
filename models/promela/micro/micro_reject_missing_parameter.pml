/* A receive with fewer parameters than the message has fields.
 * SPIN accepts a mere warning in some places and stops with "missing pars in receive" in others (its issue 26).
 * expect: rejected
 */
chan q = [1] of { byte, byte, byte };

init {
  byte a;
  q ! 1, 2, 3;
  q ? a;
  assert(a == 1)
}
