/* Dining philosophers with a waiter who seats at most N - 1 of them; forks and waiter are processes, all talk by rendezvous.
 * The arbitrator after C. A. R. Hoare, "Communicating Sequential Processes", 1985, section 2.5 (the footman).
 * Why: a model made of handshakes only, with arrays of rendezvous channels and valid end states for the servers.
 * expect: holds
 * spin: 197 411
 */
#ifndef N
#define N 3
#endif
mtype = { sit, rise, take, put };
chan door = [0] of { mtype };
chan fork[N] = [0] of { mtype };

active proctype Waiter() {
  byte seated;
end:
  do
  :: seated < N - 1 -> door ? sit; seated++
  :: door ? rise -> seated--
  od
}

proctype Fork(byte i) {
end:
  do
  :: fork[i] ? take -> fork[i] ? put
  od
}

proctype Philosopher(byte i) {
  do
  :: door ! sit;
     fork[i] ! take;
     fork[(i + 1) % N] ! take;
     fork[(i + 1) % N] ! put;
     fork[i] ! put;
     door ! rise
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run Fork(i);
      run Philosopher(i)
    }
  }
}
