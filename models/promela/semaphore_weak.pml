/* Mutual exclusion by a semaphore, two processes that come back forever: weak fairness does not promise access. The waiting
 * process can go on again and again, but not all the time, so it may be passed over forever.
 * Why: justice is not enough for a semaphore; the twin semaphore_strong.pml asks for compassion. Z. Manna and A. Pnueli, 1992.
 * run: check --fairness weak
 * expect safety: holds
 * expect exclusion: holds
 * expect access: violated
 */
byte s = 1;
bool in[2];

active [2] proctype P() {
  do
  :: atomic { s > 0 -> s-- };
     in[_pid] = true;
     in[_pid] = false;
     s++
  od
}

ltl exclusion { [] !(in[0] && in[1]) }
ltl access { [] <> in[0] }
