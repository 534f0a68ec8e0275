/* A distributed snapshot: two banks send money to and fro; the recorded states and channels add up.
 * K. M. Chandy and L. Lamport, "Distributed snapshots: determining global states of distributed systems", ACM TOCS 3(1), 1985.
 * Why: markers on first-in first-out channels; consistency as a conserved sum.
 * expect: holds
 * spin: 4882 12544
 */
#define TOTAL 4
mtype = { money, marker };
chan to[2] = [4] of { mtype };            /* by receiver; each money message is one coin */
byte coins[2] = 2;
byte recorded[2], in_channel[2];
bool done[2], marked[2];                  /* own state recorded; marker received */

proctype Bank(byte me) {
  byte moves;
end:
  do
  :: atomic { coins[me] > 0 && moves < 3 -> coins[me]--; moves++; to[1 - me] ! money }
  :: atomic {
       to[me] ? money ->
       coins[me]++;
       if
       :: done[me] && !marked[me] -> in_channel[me]++
       :: else
       fi
     }
  :: atomic {                             /* anyone may start, once */
       !done[me] -> recorded[me] = coins[me]; done[me] = true; to[1 - me] ! marker
     }
  :: atomic {
       to[me] ? marker ->
       marked[me] = true;
       if
       :: !done[me] -> recorded[me] = coins[me]; done[me] = true; to[1 - me] ! marker
       :: else
       fi
     }
  od
}

init {
  atomic { run Bank(0); run Bank(1) };
  done[0] && done[1] && marked[0] && marked[1];
  assert(recorded[0] + recorded[1] + in_channel[0] + in_channel[1] == TOTAL)
}
