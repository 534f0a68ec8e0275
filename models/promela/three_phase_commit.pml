/* Three-phase commit: a pre-commit round lets the participants finish alone when the coordinator crashes (no partition).
 * D. Skeen, "Nonblocking commit protocols", SIGMOD 1981.
 * Why: the same crash as in two_phase_commit_crash.pml, and none blocks. Crashes are detected perfectly: a survivor asks the
 *      states of all participants, commits if anyone is prepared or committed, else aborts; the surveys are atomic.
 * expect: holds
 * spin: 14708 37466
 */
#ifndef N
#define N 2
#endif
mtype = { ask, yes, no, precommit, commit, abort, start, voted, prepared };
chan order[N] = [1] of { mtype };
chan votes = [N] of { mtype };
mtype at[N] = start;
bool crashed;

#define maybe_crash if :: skip :: crashed = true; goto dead fi

active proctype Coordinator() {
  byte k;
  mtype reply;
  bool all = true;
  for (k : 0 .. N - 1) { maybe_crash; order[k] ! ask }
  for (k : 1 .. N) {
    votes ? reply;
    all = all && (reply == yes)
  }
  if
  :: all ->
     for (k : 0 .. N - 1) { maybe_crash; order[k] ! precommit }
     for (k : 1 .. N) { votes ? reply }
     for (k : 0 .. N - 1) { maybe_crash; order[k] ! commit }
  :: else ->
     for (k : 0 .. N - 1) { maybe_crash; order[k] ! abort }
  fi;
dead:
  skip
}

active [N] proctype Participant() {
  byte me = _pid - 1;
  byte k;
  mtype got;
  do
  :: atomic {
       order[me] ? got ->
       if
       :: got == ask ->
          if
          :: at[me] = voted; votes ! yes
          :: at[me] = abort; votes ! no
          fi
       :: got == precommit -> at[me] = prepared; votes ! yes
       :: got == commit -> at[me] = commit
       :: got == abort -> at[me] = abort
       fi
     }
  :: atomic {                             /* the coordinator is gone and has left us no order: terminate together */
       crashed && empty(order[me]) && at[me] != commit && at[me] != abort ->
       got = abort;
       for (k : 0 .. N - 1) {
         if
         :: at[k] == prepared || at[k] == commit -> got = commit
         :: else
         fi
       }
       for (k : 0 .. N - 1) {             /* none may fall behind the survey: orders still under way are void */
         if
         :: order[k] ? _
         :: empty(order[k])
         fi;
         if
         :: at[k] != commit && at[k] != abort -> at[k] = got
         :: else
         fi
       };
       k = 0
     }
  :: at[me] == commit || at[me] == abort -> break
  od;
  for (k : 0 .. N - 1) {
    assert(!(at[me] == commit && at[k] == abort))
  }
}
