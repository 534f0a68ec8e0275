/* The channel of a receive is determined once, before the message overwrites the variable that its index mentions.
 * SPIN's verifier evaluates the index again after the assignment: "invalid array index", "ref to uninitialized chan".
 * expect: holds
 */
chan q[2] = [1] of { byte };

init {
  byte v = 1;
  q[1] ! 7;
  q[v] ? v;
  assert(v == 7 && empty(q[1]))
}
