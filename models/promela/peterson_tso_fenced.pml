/* Peterson's algorithm with store buffers and a fence after the two writes: correct again.
 * P. Sewell and others, "x86-TSO", CACM 53(7), 2010.
 * Why: the cure of peterson_tso.pml is to wait until the own buffer is empty.
 * expect: holds
 * spin: 149 279
 */
#define WANTS(i) (i)
#define TURN 2
byte memory[3];
chan buffer[2] = [2] of { byte, byte };
byte inside;

active [2] proctype P() {
  byte other = 1 - _pid;
  buffer[_pid] ! WANTS(_pid), 1;
  buffer[_pid] ! TURN, other;
  empty(buffer[_pid]);                          /* fence */
  (memory[WANTS(other)] == 0 || memory[TURN] == _pid);
  inside++;
  assert(inside == 1);
  inside--;
  buffer[_pid] ! WANTS(_pid), 0
}

active [2] proctype Drain() {
  byte a, v;
end:
  do
  :: atomic { buffer[_pid - 2] ? a, v -> memory[a] = v; a = 0; v = 0 }
  od
}
