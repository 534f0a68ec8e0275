/* Single-decree Paxos: two proposers, three acceptors; a majority decides, and all decisions agree.
 * L. Lamport, "The part-time parliament", ACM TOCS 16(2), 1998; "Paxos made simple", 2001.
 * Why: quorums and ballot numbers. Proposer p uses the one ballot p + 1 and prefers the value p + 1; the acceptors are passive
 *      records reached by atomic calls, which may be skipped (a lost message).
 * expect: holds
 * spin: 38500 76535
 */
#ifndef PROPOSERS
#define PROPOSERS 2
#endif
#define ACCEPTORS 3
#define MAJORITY 2
typedef Acceptor {
  byte promised;
  byte ballot;          /* of the accepted value, 0: none */
  byte value
}
Acceptor acceptor[ACCEPTORS];
byte chosen;

active [PROPOSERS] proctype Proposer() {
  byte ballot = _pid + 1;
  byte value = _pid + 1;
  byte highest, count, a;
  for (a : 0 .. ACCEPTORS - 1) {          /* phase 1: prepare */
    if
    :: atomic {
         acceptor[a].promised < ballot ->
         acceptor[a].promised = ballot;
         count++;
         if
         :: acceptor[a].ballot > highest -> highest = acceptor[a].ballot; value = acceptor[a].value
         :: else
         fi
       }
    :: skip                               /* lost or refused */
    fi
  }
  if
  :: count < MAJORITY -> goto give_up
  :: else
  fi;
  count = 0;
  for (a : 0 .. ACCEPTORS - 1) {          /* phase 2: accept */
    if
    :: atomic {
         acceptor[a].promised <= ballot ->
         acceptor[a].promised = ballot;
         acceptor[a].ballot = ballot;
         acceptor[a].value = value;
         count++
       }
    :: skip
    fi
  }
  if
  :: count >= MAJORITY ->
     assert(chosen == 0 || chosen == value);
     chosen = value
  :: else
  fi;
give_up:
  skip
}
