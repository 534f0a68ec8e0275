/* Two-phase commit whose coordinator may crash between the votes and the last order: participants that voted yes block.
 * J. Gray, 1978; blocking is the subject of D. Skeen, "Nonblocking commit protocols", SIGMOD 1981.
 * Why: no participant decides wrongly (assertion holds), but some wait forever (deadlock).
 * expect: violated
 * expect deadlock: violated
 * spin: 8401 22135
 */
#ifndef N
#define N 2
#endif
mtype = { prepare, yes, no, commit, abort, undecided };
chan order[N] = [1] of { mtype };
chan votes = [N] of { mtype };
mtype decision[N] = undecided;

#define maybe_crash if :: skip :: goto crashed fi

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
  for (k : 0 .. N - 1) {
    maybe_crash;
    order[k] ! verdict
  }
crashed:
  skip
}

active [N] proctype Participant() {
  byte me = _pid - 1;
  byte k;
  order[me] ? prepare;
  if
  :: votes ! yes -> order[me] ? decision[me]
  :: votes ! no -> decision[me] = abort
  fi;
  for (k : 0 .. N - 1) {
    assert(decision[k] == undecided || decision[k] == decision[me])
  }
}
