/* A label at a loop that begins a block, and one behind a declaration that does: both are points of their own. Standing at the
 * block is standing at the loop, so P may rest there; Q may not rest behind it.
 * expect: violated
 * spin: 8 8
 */
byte x;

active proctype P() {
  { end: do :: x == 9 -> x = 0 od }
}

active proctype Q() {
  { byte t; again: t = t + 1; if :: t < 2 -> goto again :: else fi }
  { end: do :: x == 0 -> x = 1; x == 5 od }
}
