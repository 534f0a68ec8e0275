/* SPIN's issue 26: a message with fewer fields than the channel has is accepted, simulated, and only the verifier says
 * "missing pars in receive", without a name. Ours is refused at once, with the channel, the field and the place.
 * expect: rejected
 */
mtype = { req, ack };
chan c = [2] of { mtype, byte, byte };

active proctype Client() {
  byte id;
  c ! req, 1, 2;
  c ? ack, id
}

active proctype Server() {
  byte a, b;
  c ? req, a, b;
  c ! ack, a, b
}
