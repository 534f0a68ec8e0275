/* Mutual exclusion by a semaphore, two processes that come back forever: strong fairness promises access. The waiting
 * process can go on again and again, so in the end it does.
 * Why: what justice does not promise (semaphore_weak.pml) compassion does. Z. Manna and A. Pnueli, 1992.
 * run: check --fairness strong
 * expect safety: holds
 * expect exclusion: holds
 * expect access: holds
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
