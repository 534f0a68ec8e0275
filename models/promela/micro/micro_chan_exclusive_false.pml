/* A false xs: two processes send. The answer is the one without the promise; the broken promise is worth a warning.
 * SPIN's default search reports "xs assertion violated", its full search says nothing.
 * expect: holds
 * spin: 11 14
 */
chan q = [2] of { byte };

active [2] proctype Writer() {
  xs q;
  q ! 1
}

active proctype Reader() {
  xr q;
  q ? 1;
  q ? 1
}
