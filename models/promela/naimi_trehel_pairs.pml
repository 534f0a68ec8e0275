/* Naimi and Tréhel's mutual exclusion for three nodes of two processes each: a user, who enters ROUNDS times, and a server, who
 * answers. They share the node's variables under a lock; one statement is one step.
 * M. Trehel, M. Naimi, "Un algorithme distribué d'exclusion mutuelle en log(n)", TSI 6(2), 1987.
 * Why: nearly every state of the reduced search is visited once, so that a cache of a hundredth of the states is enough
 *      (weave check --store cache:133); see also naimi_trehel.pml.
 * expect: holds
 * spin: 57899 195481
 */
#ifndef ROUNDS
#define ROUNDS 1
#endif
#define NIL 3
mtype = { request, token };
chan to[3] = [3] of { mtype, byte };
byte last[3], next[3];
bool wants[3], owns[3], busy[3];
byte inside;

inline lock() { atomic { !busy[me] -> busy[me] = true } }
inline unlock() { busy[me] = false }
inline send(node, what, about) {
  if
  :: node == 0 -> to[0] ! what, about
  :: node == 1 -> to[1] ! what, about
  :: node == 2 -> to[2] ! what, about
  fi
}

proctype User(byte me) {
  byte round;
  do
  :: round < ROUNDS ->
     round++;
     lock();
     wants[me] = true;
     if
     :: last[me] != NIL -> send(last[me], request, me); last[me] = NIL
     :: last[me] == NIL
     fi;
     unlock();
     owns[me];
     inside++;
     assert(inside == 1);
     inside--;
     lock();
     wants[me] = false;
     if
     :: next[me] != NIL -> owns[me] = false; send(next[me], token, 0); next[me] = NIL
     :: next[me] == NIL
     fi;
     unlock()
  :: round == ROUNDS -> break
  od
}

proctype Server(byte me) {
  byte who;
end:
  do
  :: to[me] ? request, who ->
     lock();
     if
     :: last[me] == NIL && wants[me] -> next[me] = who
     :: last[me] == NIL && !wants[me] -> owns[me] = false; send(who, token, 0)
     :: last[me] != NIL -> send(last[me], request, who)
     fi;
     last[me] = who;
     unlock()
  :: to[me] ? token, _ -> owns[me] = true
  od
}

init {
  atomic {
    last[0] = NIL; next[0] = NIL; next[1] = NIL; next[2] = NIL;
    owns[0] = true;
    run User(0); run User(1); run User(2);
    run Server(0); run Server(1); run Server(2)
  }
}
