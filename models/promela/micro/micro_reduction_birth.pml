/* Numbers are given in the order of births: the child is process 2 if the other one's child came first, and only then it fails.
 * Why: two starts depend on each other, and a process that is yet to be created may do what a set must reckon with (SPIN's issue 78).
 * expect: violated
 * expect assertion: violated
 */
byte x;

proctype Child(byte parent) {
  x++;
  assert(parent == 0 || _pid != 2)
}

active proctype Parent() {
  x = 5;
  run Child(0)
}

active proctype Other() {
  byte mine;
  mine = 1;
  run Child(1)
}
