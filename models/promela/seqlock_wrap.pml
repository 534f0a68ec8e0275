/* The sequence lock with a number of one bit: it returns to its old value while a reader reads.
 * After L. Lamport, "Concurrent reading and writing", CACM 20(11), 1977.
 * Why: what happens to seqlock.pml if the number wraps too early: the reader accepts a torn value.
 * expect: violated
 * expect assertion: violated
 * spin: 739 1327
 */
#define WRITES 3
unsigned number : 1;
byte x, y;

active proctype Writer() {
  byte k;
  for (k : 1 .. WRITES) {
    number++;
    x = k;
    y = k;
    number++
  }
}

active proctype Reader() {
  byte a, b;
again:
  number == 0;
  a = x;
  b = y;
  if
  :: number != 0 -> goto again
  :: else
  fi;
  assert(a == b)
}
