/* Buffered sends and receives inside a d_step, loops and else inside it, all as one step.
 * expect: holds
 * spin: 10 14
 */
chan q = [4] of { byte };

active proctype P() {
  byte i, sum;
  d_step {
    do
    :: i < 4 -> q ! i; i++
    :: else -> break
    od;
    do
    :: q ? i -> sum = sum + i
    :: empty(q) -> break
    od;
    i = 0
  };
  assert(sum == 6 && empty(q))
}

active proctype Q() {
  assert(len(q) == 0)
}
