/* Lamport's bakery, with the choosing flags; each customer comes a bounded number of times so that tickets stay small.
 * L. Lamport, "A new solution of Dijkstra's concurrent programming problem", CACM 17(8), 1974.
 * Why: unbounded in the paper, so the model bounds the visits, not the tickets.
 * expect: holds
 * spin: 58934 112046
 */
#ifndef N
#define N 2
#endif
#ifndef VISITS
#define VISITS 4
#endif
bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype Customer() {
  byte k, max, visit;
  do
  :: visit < VISITS ->
     choosing[_pid] = true;
     max = 0;
     for (k : 0 .. N - 1) {
       max = (ticket[k] > max -> ticket[k] : max)
     }
     ticket[_pid] = max + 1;
     choosing[_pid] = false;
     for (k : 0 .. N - 1) {
       !choosing[k];
       (ticket[k] == 0 || ticket[_pid] < ticket[k] || (ticket[_pid] == ticket[k] && _pid <= k))
     }
     inside++;
     assert(inside == 1);
     inside--;
     ticket[_pid] = 0;
     visit++
  :: visit == VISITS -> break
  od
}
