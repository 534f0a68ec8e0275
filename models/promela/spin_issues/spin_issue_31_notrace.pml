/* SPIN's issue 31: notrace does not remove behaviour, it forbids one. Here the forbidden order of messages can happen.
 * The assertion violation below is found with or without it.
 * expect: violated
 * expect assertion: violated
 * expect trace: violated
 * spin: 8 8
 */
mtype = { a, b };
chan q = [1] of { mtype };

active proctype P() {
  q ! a;
  q ! b
}

active proctype Q() {
  q ? a;
  q ? b;
  assert(false)
}

notrace {
  q ! a;
  q ! b
}
