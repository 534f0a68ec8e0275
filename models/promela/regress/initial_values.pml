/* Initial values read globals declared before, and variables and labels of other processes.
 * expect: violated
 * spin: 12 15
 */
byte g = 2;
byte h = g + 1;
byte a[2] = h;

active proctype Q() {
  byte l = h;
  g = 1;
  l = 0;
here:
  run P();
  l = 5
}

proctype P() {
  byte before = Q[0]:l;
  bool there = Q[0]@here;
  assert(before == 0 && a[1] == 3);
  assert(!there)
}
