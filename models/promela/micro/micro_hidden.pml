/* hidden: a scratch variable that is not part of the state; show and local change nothing that can be seen.
 * expect: holds
 * spin: 5 5
 */
hidden byte scratch;
show byte x;
local byte y;

active proctype P() {
  d_step { scratch = 5; x = scratch; scratch = 0 };
  y = x;
  assert(y == 5)
}
