/* Leader election of Raft, three servers, terms up to MAXTERM: at most one leader per term.
 * D. Ongaro and J. Ousterhout, "In search of an understandable consensus algorithm", USENIX ATC 2014, section 5.2.
 * Why: votes by messages that may be lost, time-outs at any moment, terms that outdate each other.
 * expect: holds
 * spin: 7843 29414
 */
#define N 3
#ifndef MAXTERM
#define MAXTERM 2
#endif
#define NONE 255
mtype = { ask, vote };
chan inbox[N] = [1] of { mtype, byte, byte };       /* kind, term, from; a full box loses the message */
byte leader[MAXTERM + 1] = NONE;

inline post(to, kind, term) {
  if
  :: nfull(inbox[to]) -> inbox[to] ! kind, term, me
  :: skip                                          /* lost */
  fi
}

proctype Server(byte me) {
  byte term, voted = NONE, votes, t, from;
end:
  do
  :: atomic {                                      /* time-out: become a candidate */
       term < MAXTERM ->
       term++;
       voted = me;
       votes = 1;
       post((me + 1) % N, ask, term);
       post((me + 2) % N, ask, term)
     }
  :: atomic {
       inbox[me] ? ask, t, from ->
       if
       :: t > term -> term = t; voted = NONE; votes = 0
       :: else
       fi;
       if
       :: t == term && (voted == NONE || voted == from) -> voted = from; post(from, vote, term)
       :: else
       fi;
       t = 0; from = 0
     }
  :: atomic {
       inbox[me] ? vote, t, from ->
       if
       :: t == term && voted == me && votes == 1 ->
          votes = 2;                               /* a majority of three */
          assert(leader[term] == NONE || leader[term] == me);
          leader[term] = me
       :: else
       fi;
       t = 0; from = 0
     }
  od
}

init { atomic { run Server(0); run Server(1); run Server(2) } }
