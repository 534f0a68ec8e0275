/* xr and xs: promises that only this process receives from or sends to a channel; true here, no effect on the answer.
 * expect: holds
 * spin: 9 10
 */
chan q = [2] of { byte };

active proctype Writer() {
  xs q;
  q ! 1;
  q ! 2
}

active proctype Reader() {
  xr q;
  byte v;
  q ? v;
  q ? v;
  assert(v == 2)
}
