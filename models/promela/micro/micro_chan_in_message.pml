/* A channel sent in a message: the server answers on the channel that the client gave it.
 * expect: holds
 * spin: 27 37
 */
chan server = [0] of { chan, byte };

active proctype Server() {
  chan reply;
  byte x;
end:
  do
  :: server ? reply, x -> reply ! x * x
  od
}

active [2] proctype Client() {
  chan me = [0] of { byte };
  byte y;
  server ! me, _pid + 2;
  me ? y;
  assert(y == (_pid + 2) * (_pid + 2))
}
