/* A file transfer protocol: a session layer (open, accept or reject, close, abort by the user) on top of flow control with
 * alternating block numbers and retransmission by time-out, over lines that may lose any packet.
 * In the spirit of the protocol designed in G. J. Holzmann, "Design and Validation of Computer Protocols", 1991, ch. 7.
 * Why: layers as processes, timeout as retransmission timer, a protocol with several phases.
 *      A file that the client believes stored has been stored whole, in order, exactly once.
 * expect: holds
 * spin: 284 343
 */
#ifndef BLOCKS
#define BLOCKS 3
#endif
mtype = { open, accept, reject, block, ack, close, closed, abort };
chan to_server = [2] of { mtype, bit, byte };
chan to_client = [2] of { mtype, bit };
byte stored;                 /* blocks the server has written */
bool complete, refused;

active proctype Client() {
  bit number, n;
  byte sent, length;
  select (length : 0 .. BLOCKS);
opening:
  to_server ! open, 0, length;
  do
  :: to_client ? accept, _ -> break
  :: to_client ? reject, _ -> refused = true; goto stop
  :: to_client ? ack, _                                /* stale */
  :: timeout -> to_server ! open, 0, length
  od;
  do
  :: sent < length ->
     to_server ! block, number, sent;
     do
     :: to_client ? ack, n ->
        if
        :: n == number -> number = 1 - number; sent++; break
        :: else
        fi
     :: to_client ? accept, _
     :: timeout -> to_server ! block, number, sent
     od
  :: sent > 0 && sent < length -> goto aborting        /* the user changes his mind */
  :: sent == length -> break
  od;
  to_server ! close, number, 0;
  do
  :: to_client ? closed, _ -> break
  :: to_client ? ack, _
  :: to_client ? accept, _
  :: timeout -> to_server ! close, number, 0
  od;
  complete = true;
  assert(stored == length);
  goto stop;
aborting:
  to_server ! abort, 0, 0;
  do
  :: to_client ? closed, _ -> break
  :: to_client ? ack, _
  :: to_client ? accept, _
  :: timeout -> to_server ! abort, 0, 0
  od;
stop:
  skip
}

active proctype Server() {
  bit expected, n;
  byte length, position;
waiting:
  to_server ? open, _, length;
  if
  :: to_client ! reject, 0; goto end_refused
  :: to_client ! accept, 0
  fi;
receiving:
  do
  :: to_server ? open, _, _ -> to_client ! accept, 0
  :: to_server ? block, n, position ->
     if
     :: n == expected ->
        assert(position == stored && stored < length);
        stored++;
        expected = 1 - expected
     :: else
     fi;
     to_client ! ack, n
  :: to_server ? close, _, _ ->
     assert(stored == length);
     to_client ! closed, 0;
     goto end_closed
  :: to_server ? abort, _, _ ->
     stored = 0;
     to_client ! closed, 0;
     goto end_closed
  od;
end_refused:
  do
  :: to_server ? open, _, _ -> to_client ! reject, 0
  od;
end_closed:
  do
  :: to_server ? close, _, _ -> to_client ! closed, 0
  :: to_server ? abort, _, _ -> to_client ! closed, 0
  :: to_server ? open, _, _
  od
}

active proctype Loss() {
end:
  do
  :: to_server ? _, _, _
  :: to_client ? _, _
  od
}
