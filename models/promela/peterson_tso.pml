/* Peterson's algorithm on a machine with store buffers (total store order): each processor's writes reach memory later.
 * P. Sewell and others, "x86-TSO: a rigorous and usable programmer's model", CACM 53(7), 2010.
 * Why: weak memory as channels: a buffer of pending writes per processor. Without a fence both get in.
 * expect: violated
 * expect assertion: violated
 * spin: 640 1801
 */
#define WANTS(i) (i)                /* addresses 0, 1 */
#define TURN 2
byte memory[3];
chan buffer[2] = [2] of { byte, byte };
byte inside;

inline store(address, value) { buffer[_pid] ! address, value }

active [2] proctype P() {
  byte other = 1 - _pid;
  store(WANTS(_pid), 1);
  store(TURN, other);
  do
  :: memory[WANTS(other)] == 0 -> break
  :: buffer[_pid] ?? [TURN, _] -> skip          /* our own pending write of turn says: wait */
  :: !(buffer[_pid] ?? [TURN, _]) && memory[TURN] == _pid -> break
  od;
  inside++;
  assert(inside == 1);
  inside--;
  store(WANTS(_pid), 0)
}

active [2] proctype Drain() {
  byte a, v;
end:
  do
  :: atomic { buffer[_pid - 2] ? a, v -> memory[a] = v; a = 0; v = 0 }
  od
}
