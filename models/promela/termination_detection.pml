/* Termination detection on a ring with a coloured probe: machines that hand work backwards blacken themselves.
 * E. W. Dijkstra, W. H. J. Feijen, A. J. M. van Gasteren, "Derivation of a termination detection algorithm", IPL 16(5), 1983.
 * Why: the probe announces termination only if all are passive; messages are instantaneous as in the paper.
 * expect: holds
 * spin: 4841 24574
 */
#ifndef N
#define N 4
#endif
#define WORK 3                        /* activations in all, so that it ends */
bool busy[N] = true;
bool black[N];
byte token = 0;                       /* who holds the probe */
bool token_black = true, announced;
byte work = WORK;

#define all_passive (!busy[0] && !busy[1] && !busy[2] && !busy[3])

active [N] proctype Machine() {
  byte to;
  do
  :: busy[_pid] -> busy[_pid] = false
  :: atomic {                         /* activate another machine */
       busy[_pid] && work > 0 ->
       select (to : 0 .. N - 1);
       if
       :: to != _pid ->
          work--;
          busy[to] = true;
          black[_pid] = black[_pid] || to > _pid
       :: else
       fi;
       to = 0
     }
  :: atomic {                         /* pass the probe from 0 to N - 1 and down */
       !announced && token == _pid && _pid != 0 && !busy[_pid] ->
       token_black = token_black || black[_pid];
       black[_pid] = false;
       token--
     }
  :: atomic {
       !announced && token == 0 && _pid == 0 && !busy[0] ->
       if
       :: !token_black && !black[0] ->
          announced = true;
          assert(all_passive)
       :: else ->
          token_black = false;
          black[0] = false;
          token = N - 1
       fi
     }
  :: announced -> break
  od
}
