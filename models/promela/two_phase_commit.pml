/* Two-phase commit without failures: all participants reach the same decision, and commit only if all voted yes.
 * J. Gray, "Notes on data base operating systems", 1978.
 * Why: the well-behaved half of the pair; two_phase_commit_crash.pml shows what a crash does.
 * expect: holds
 * spin: 35482 121039
 */
#ifndef N
#define N 3
#endif
mtype = { prepare, yes, no, commit, abort, undecided };
chan order[N] = [1] of { mtype };
chan votes = [N] of { mtype };
mtype decision[N] = undecided;
bool refused;

active proctype Coordinator() {
  byte k;
  mtype vote, verdict = commit;
  for (k : 0 .. N - 1) { order[k] ! prepare }
  for (k : 1 .. N) {
    votes ? vote;
    if
    :: vote == no -> verdict = abort
    :: else
    fi
  }
  for (k : 0 .. N - 1) { order[k] ! verdict }
}

active [N] proctype Participant() {
  byte me = _pid - 1;
  byte k;
  order[me] ? prepare;
  if
  :: votes ! yes
  :: atomic { refused = true; votes ! no }
  fi;
  order[me] ? decision[me];
  assert(decision[me] == commit || decision[me] == abort);
  assert(decision[me] == abort || !refused);
  for (k : 0 .. N - 1) {
    assert(decision[k] == undecided || decision[k] == decision[me])
  }
}
