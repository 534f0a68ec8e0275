/* A sequence lock: the writer makes the number odd while it writes; readers retry if it was odd or has changed.
 * After the lock of the Linux kernel (S. Hemminger, 2002); L. Lamport, "Concurrent reading and writing", CACM 20(11), 1977.
 * Why: optimistic reading; what a reader accepts is never torn.
 * expect: holds
 * spin: 39558 108233
 */
#ifndef READERS
#define READERS 2
#endif
#define WRAP 8                 /* the number wraps; a reader that sleeps through a whole turn is beyond this model: WRITES < 4 */
#define WRITES 2
byte number;
byte x, y;

active proctype Writer() {
  byte k;
  for (k : 1 .. WRITES) {
    number = (number + 1) % WRAP;
    x = k;
    y = k;
    number = (number + 1) % WRAP
  }
}

active [READERS] proctype Reader() {
  byte before, a, b;
again:
  before = number;
  if
  :: before % 2 == 1 -> goto again
  :: else
  fi;
  a = x;
  b = y;
  if
  :: number != before -> goto again
  :: else
  fi;
  assert(a == b)
}
