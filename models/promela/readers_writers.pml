/* Readers and writers behind a monitor with preference for writers.
 * P. J. Courtois, F. Heymans, D. L. Parnas, "Concurrent control with readers and writers", CACM 14(10), 1971 (problem 2).
 * Why: a monitor in Promela: each entry is one atomic block whose first statement is its guard.
 * expect: holds
 * spin: 44 107
 */
#define READERS 2
#define WRITERS 2
byte reading, writing, waiting;

active [READERS] proctype Reader() {
  do
  :: atomic { writing == 0 && waiting == 0 -> reading++ };
     assert(writing == 0);
     reading--
  od
}

active [WRITERS] proctype Writer() {
  do
  :: waiting++;
     atomic { writing == 0 && reading == 0 -> writing++; waiting-- };
     assert(reading == 0 && writing == 1);
     writing--
  od
}
