/* Who moved last sees steps that no other process can see: P's second assignment may come between Q's step and R's look, although it touches
 * nothing but its own variable. Merging statements would lose that run.
 * expect: violated
 * expect assertion: violated
 * spin: 23 29
 */
byte x, y;

active proctype P() {
  byte i;
  y = 1;
  i = 1;
  i = 2;
end:
  false
}

active proctype Q() {
  y == 1 -> x = 1;
end:
  false
}

active proctype R() {
end:
  x == 1 && _last == 0 -> assert(false)
}
