/* Naimi and Tréhel's mutual exclusion: requests climb a tree of probable owners that they turn upside down on their way;
 * a second, distributed queue of `next` pointers says where the token goes. On average O(log n) messages.
 * M. Naimi, M. Trehel, A. Arnold, "A log(N) distributed mutual exclusion algorithm based on path reversal", JPDC 34(1), 1996.
 * Why: a dynamic tree over six nodes, of which the last REQUESTERS enter once each;
 *      with four of them there are 10,241 states, with all six the number below.
 * expect: holds
 * spin: 441321 1328410
 */
#ifndef N
#define N 6
#endif
#ifndef REQUESTERS
#define REQUESTERS 6
#endif
#define NIL 255
mtype = { request, token };
chan inbox[N] = [N] of { mtype, byte };
byte inside;

proctype Node(byte me) {
  byte last = 0, next = NIL, who;
  bool has_token, wants;
  bool will = (me >= N - REQUESTERS);
  atomic {
    if
    :: me == 0 -> has_token = true; last = NIL
    :: else
    fi
  };
end:
  do
  :: atomic {                                     /* ask */
       will -> will = false; wants = true;
       if
       :: last != NIL -> inbox[last] ! request, me; last = NIL
       :: else
       fi
     }
  :: atomic {                                     /* enter */
       wants && has_token ->
       inside++;
       assert(inside == 1)
     };
     atomic {                                     /* leave */
       inside--;
       wants = false;
       if
       :: next != NIL -> inbox[next] ! token, 0; has_token = false; next = NIL
       :: else
       fi
     }
  :: atomic {
       inbox[me] ? request, who ->
       if
       :: last == NIL ->
          if
          :: wants -> next = who
          :: else -> inbox[who] ! token, 0; has_token = false
          fi
       :: else -> inbox[last] ! request, who
       fi;
       last = who;
       who = 0
     }
  :: atomic { inbox[me] ? token, _ -> has_token = true }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) { run Node(i) }
  }
}
