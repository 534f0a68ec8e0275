/* Ticket lock: fetch-and-increment gives a number, the holder serves the next.
 * J. Mellor-Crummey and M. Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors", 1991.
 * Why: atomic as the model of one machine instruction; first come, first served, shown by the order of service.
 * expect: holds
 * spin: 11193 31180
 */
#ifndef N
#define N 3
#endif
#define ROUND 8
byte next, serving;
byte inside;

active [N] proctype P() {
  byte mine;
  do
  :: atomic { mine = next; next = (next + 1) % ROUND };
     mine == serving;
     inside++;
     assert(inside == 1);
     inside--;
     serving = (serving + 1) % ROUND
  od
}
