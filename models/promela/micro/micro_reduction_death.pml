/* A process ends only after all younger ones, and its number is given again: the count of processes tells who is still there.
 * Why: deaths depend on births, on deaths, and on processes that count; nothing else of the two processes is shared.
 * expect: violated
 * expect assertion: violated
 * expect deadlock: holds
 */
byte late;

active proctype Counter() {
  _nr_pr == 2;
  late = 1
}

active proctype Stays() {
  late == 1;
  assert(late == 0)
}

active proctype Goes() {
  byte i;
  i = 1;
  i = 2
}
