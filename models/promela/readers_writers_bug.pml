/* Readers and writers where the first reader tests for a writer and registers in two steps.
 * After P. J. Courtois, F. Heymans, D. L. Parnas, CACM 14(10), 1971.
 * Why: test and set torn apart: a writer slips in between. The same program as readers_writers.pml without one atomic.
 * expect: violated
 * expect assertion: violated
 * spin: 32 77
 */
byte reading, writing;

active [2] proctype Reader() {
  do
  :: writing == 0;
     reading++;
     assert(writing == 0);
     reading--
  od
}

active proctype Writer() {
  do
  :: atomic { writing == 0 && reading == 0 -> writing++ };
     writing--
  od
}
