/* Reading _last sees the order of all steps: B fails only if A moved just before it, whatever it shares with A otherwise.
 * Why: a reduction that takes A and B for independent misses the failure. The model is not reduced, and the answer says so.
 * expect: violated
 * expect assertion: violated
 */
byte a, b;

active proctype A() {
  a = 1;
  a = 2
}

active proctype B() {
  b = 1;
  b = 2;
  assert(_last == 1)
}
