/* _last is who moved before this step, not who moves in it, in every kind of statement; and merging must not change it.
 * expect: violated
 * spin: 90 138
 */
byte n, seen;

active proctype P() {
  byte a, b;
  n = 1;
  a = 1;
  b = a;
  n = b + 1
}

active proctype Q() {
  n = 3;
  d_step { seen = _last; seen = _last };
  assert(seen == 1)
}
