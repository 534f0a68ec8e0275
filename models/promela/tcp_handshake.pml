/* The three-way handshake of TCP, with simultaneous open, over lines that may lose segments; sequence numbers are one digit.
 * J. Postel (ed.), RFC 793, 1981, section 3.4; R. Tomlinson, "Selecting sequence numbers", 1975.
 * Why: crossing openings; an established side holds the partner's initial number. Retransmission by timeout.
 * expect: holds
 * spin: 234 386
 */
mtype = { syn, ack, synack };
mtype:state = { closed, listen, syn_sent, syn_received, established };
chan to[2] = [2] of { mtype, byte, byte };      /* kind, sequence number, acknowledgement */
mtype:state st[2] = closed;
byte peer[2];

#define iss(i) (i + 5)

proctype End(byte me; bool opens) {
  byte seq, a;
  if
  :: opens -> st[me] = syn_sent; to[1 - me] ! syn, iss(me), 0
  :: else -> st[me] = listen
  fi;
end:
  do
  :: to[me] ? syn, seq, _ ->
     peer[me] = seq;
     if
     :: st[me] != established -> st[me] = syn_received
     :: else
     fi;
     to[1 - me] ! synack, iss(me), seq + 1
  :: to[me] ? synack, seq, a ->
     assert(a == iss(me) + 1);
     peer[me] = seq;
     st[me] = established;
     to[1 - me] ! ack, iss(me) + 1, seq + 1
  :: to[me] ? ack, _, a ->
     assert(a == iss(me) + 1 && peer[me] == iss(1 - me));
     st[me] = established
  :: st[me] == syn_sent && timeout -> to[1 - me] ! syn, iss(me), 0
  :: st[me] == syn_received && timeout -> to[1 - me] ! synack, iss(me), peer[me] + 1
  od
}

active proctype Line() {
end:
  do
  :: to[0] ? _, _, _
  :: to[1] ? _, _, _
  od
}

init {
  bool second;
  if
  :: second = false
  :: second = true
  fi;
  atomic { run End(0, true); run End(1, second) }
}
