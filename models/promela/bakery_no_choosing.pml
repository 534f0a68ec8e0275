/* Lamport's bakery without the choosing flags: two customers can draw the same ticket and one looks too early.
 * After L. Lamport, CACM 17(8), 1974, whose remark on the flag this demonstrates.
 * Why: a bug that needs a particular interleaving of four steps.
 * expect: violated
 * expect assertion: violated
 * spin: 114 181
 */
#define N 2
byte ticket[N];
byte inside;

active [N] proctype Customer() {
  byte other = 1 - _pid;
  byte seen;
  seen = ticket[other];
  ticket[_pid] = seen + 1;
  (ticket[other] == 0 || ticket[_pid] < ticket[other] || (ticket[_pid] == ticket[other] && _pid < other));
  inside++;
  assert(inside == 1);
  inside--;
  ticket[_pid] = 0
}
