/* Ricart and Agrawala's mutual exclusion by timestamps: ask everyone, enter when all have agreed, defer answers to later requests.
 * G. Ricart and A. K. Agrawala, "An optimal algorithm for mutual exclusion in computer networks", CACM 24(1), 1981.
 * Why: logical clocks; each node is two processes (one asks, one answers) over shared variables of the node.
 * expect: holds
 * spin: 3923 8763
 */
#ifndef N
#define N 3
#endif
mtype = { request, reply };
chan inbox[N] = [2 * N] of { mtype, byte, byte };     /* kind, stamp, from */
typedef Site {
  byte stamp, highest, replies;
  bool asking;
  bool deferred[N]
}
Site site[N];
byte inside;

proctype Asker(byte me) {
  byte k;
  atomic {
    site[me].asking = true;
    site[me].stamp = site[me].highest + 1;
    for (k : 0 .. N - 1) {
      if
      :: k != me -> inbox[k] ! request, site[me].stamp, me
      :: else
      fi
    }
  };
  site[me].replies == N - 1;
  inside++;
  assert(inside == 1);
  inside--;
  atomic {
    site[me].asking = false;
    for (k : 0 .. N - 1) {
      if
      :: site[me].deferred[k] -> site[me].deferred[k] = false; inbox[k] ! reply, 0, me
      :: else
      fi
    }
  }
}

proctype Answerer(byte me) {
  byte stamp, from;
end:
  do
  :: atomic {
       inbox[me] ? request, stamp, from ->
       site[me].highest = (stamp > site[me].highest -> stamp : site[me].highest);
       if
       :: site[me].asking && (site[me].stamp < stamp || (site[me].stamp == stamp && me < from)) ->
          site[me].deferred[from] = true
       :: else -> inbox[from] ! reply, 0, me
       fi;
       stamp = 0;
       from = 0
     }
  :: atomic { inbox[me] ? reply, _, _ -> site[me].replies++ }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run Asker(i);
      run Answerer(i)
    }
  }
}
