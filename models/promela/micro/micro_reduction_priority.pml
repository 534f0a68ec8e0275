/* The more urgent process goes first as long as it can move; when it waits, the other one finds what it left behind.
 * Why: priorities order steps that share nothing. The model is not reduced, and the answer says so.
 * expect: violated
 * expect assertion: violated
 */
byte x, y;

active proctype Urgent() priority 5 {
  x = 1;
  y == 1;
  x = 2;
  assert(y == 2)
}

active proctype Idle() priority 1 {
  assert(x == 1);
  y = 1;
  y = 2
}
