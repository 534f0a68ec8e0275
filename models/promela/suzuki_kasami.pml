/* Suzuki and Kasami's mutual exclusion: requests are broadcast, one token carries the numbers of the requests served.
 * I. Suzuki and T. Kasami, "A distributed mutual exclusion algorithm", ACM TOCS 3(4), 1985.
 * Why: a data structure that travels: the token's array and queue are global, only its holder touches them.
 * expect: holds
 * spin: 4136 13556
 */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#define NONE 255
typedef Site { byte heard[N] }
Site site[N];                         /* highest request number heard of, per node */
byte served[N];                       /* in the token */
chan queue = [N] of { byte };         /* in the token */
chan inbox[N] = [N * ROUNDS + 1] of { byte, byte };
byte holder;                          /* NONE while the token travels */
byte bound;                           /* where it travels to */
bool busy[N];
byte inside;

inline send_token(to) {
  holder = NONE;
  bound = to
}

proctype Node(byte me) {
  byte k, round;
  for (round : 1 .. ROUNDS) {
    atomic {
      site[me].heard[me] = site[me].heard[me] + 1;
      busy[me] = true;
      if
      :: holder != me ->
         for (k : 0 .. N - 1) {
           if
           :: k != me -> inbox[k] ! me, site[me].heard[me]
           :: else
           fi
         }
      :: else
      fi;
      k = 0
    };
    atomic {
      holder == me || (holder == NONE && bound == me) ->
      holder = me;
      inside++;
      assert(inside == 1)
    };
    atomic {
      inside--;
      served[me] = site[me].heard[me];
      for (k : 0 .. N - 1) {
        if
        :: site[me].heard[k] == served[k] + 1 && !(queue ?? [eval(k)]) -> queue ! k
        :: else
        fi
      }
      busy[me] = false;
      if
      :: queue ? k -> send_token(k)
      :: empty(queue)
      fi;
      k = 0
    }
  }
}

proctype Ear(byte me) {
  byte from, number;
end:
  do
  :: atomic {
       inbox[me] ? from, number ->
       site[me].heard[from] = (number > site[me].heard[from] -> number : site[me].heard[from]);
       if
       :: holder == me && !busy[me] && site[me].heard[from] == served[from] + 1 -> send_token(from)
       :: else
       fi;
       from = 0;
       number = 0
     }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) { run Node(i); run Ear(i) }
  }
}
