/* The Abracadabra service: a symmetric, connection-oriented protocol over a medium that loses messages.
 * Connect and accept, data with alternating numbers and acknowledgements, disconnect at any time, calls that cross.
 * After the example of ISO/IEC TR 10167:1991, "Guidelines for the application of Estelle, LOTOS and SDL"; own text.
 * Why: the protocol that Godefroid's thesis calls ABRA, rebuilt small: two stations with their users inside, a medium of one
 *      slot each way, a limit on resends. Every message is expected everywhere: neither station ever hangs.
 * expect: holds
 * spin: 89439 278866
 */
#ifndef RESENDS
#define RESENDS 1
#endif
mtype = { CR, CC, DT, AK, DR, DC };
chan medium[2] = [1] of { mtype, bit };    /* by receiver */

#define out medium[1 - me]
#define in  medium[me]

proctype Station(byte me) {
  bit mine, theirs;                        /* number to send, number expected */
  byte tries;
  bool pending;                            /* an item of ours is not yet acknowledged */
closed:
  atomic { mine = 0; theirs = 0; tries = 0; pending = false };
end:
  if
  :: out ! CR, 0 -> goto calling
  :: in ? CR, _ -> goto called
  :: in ? DR, _ -> goto confirm
  :: in ? CC, _ -> goto end
  :: in ? DT, _ -> goto end
  :: in ? AK, _ -> goto end
  :: in ? DC, _ -> goto end
  fi;
calling:
  if
  :: in ? CC, _ -> tries = 0; goto open
  :: in ? CR, _ -> tries = 0; goto open                   /* calls that cross make one connection */
  :: in ? DR, _ -> goto confirm
  :: in ? DT, _ -> goto calling
  :: in ? AK, _ -> goto calling
  :: in ? DC, _ -> goto calling
  :: tries < RESENDS -> out ! CR, 0; tries++; goto calling
  :: tries == RESENDS -> goto hang_up
  fi;
called:
  if
  :: out ! CC, 0 -> goto open                             /* the user accepts */
  :: goto hang_up                                         /* or not */
  fi;
open:
  if
  :: !pending -> pending = true; out ! DT, mine; goto open
  :: pending && tries < RESENDS -> tries++; out ! DT, mine; goto open
  :: pending && tries == RESENDS -> goto hang_up
  :: goto hang_up                                         /* the user disconnects */
  :: in ? DT, eval(theirs) -> out ! AK, theirs; theirs = 1 - theirs; goto open
  :: in ? DT, eval(1 - theirs) -> out ! AK, 1 - theirs; goto open
  :: in ? AK, eval(mine) ->
     if
     :: pending -> mine = 1 - mine; pending = false; tries = 0
     :: else
     fi;
     goto open
  :: in ? AK, eval(1 - mine) -> goto open
  :: in ? CR, _ -> out ! CC, 0; goto open
  :: in ? CC, _ -> goto open
  :: in ? DC, _ -> goto open
  :: in ? DR, _ -> goto confirm
  fi;
hang_up:
  out ! DR, 0;
  d_step { mine = 0; theirs = 0; tries = 0; pending = false };
leaving:
  if
  :: in ? DC, _ -> goto closed
  :: in ? DR, _ -> goto closed
  :: in ? CR, _ -> goto leaving
  :: in ? CC, _ -> goto leaving
  :: in ? DT, _ -> goto leaving
  :: in ? AK, _ -> goto leaving
  :: tries < RESENDS -> tries++; out ! DR, 0; goto leaving
  :: tries == RESENDS -> goto closed
  fi;
confirm:
  out ! DC, 0;
  goto closed
}

proctype Loss() {
end:
  do
  :: medium[0] ? _, _
  :: medium[1] ? _, _
  od
}

init { atomic { run Station(0); run Station(1); run Loss() } }
