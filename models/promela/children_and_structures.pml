/* Processes with channels inside structures create others until all are blocked.
 * Why: found by random models; a state of another shape had a part without a number.
 * expect: violated
 * expect deadlock: violated
 * run: check --keep-going
 */
typedef Inner { byte a; bit b[2]; short s };
typedef Outer { Inner x[2]; int y; chan inside = [1] of { byte } };
Outer o;
chan request = [1] of { byte };

proctype Child(byte d; chan parent) {
  chan own = [1] of { byte };
  d--;
  d >= 3 || request??[1]
}

active [2] proctype Parent() {
  do
  :: o.inside!3
  :: o.x[1].b[1] < (1 > o.y -> 1 : 3) -> run Child(len(request), request)
  :: else -> break
  od
}
