/* Two transfers between two accounts without a lock: read, compute, write. Money appears or vanishes.
 * Why: the lost update, the plainest race there is.
 * expect: violated
 * expect assertion: violated
 * spin: 203 306
 */
byte account[2] = 10;
byte finished;

proctype Transfer(byte from, to, amount) {
  byte a, b;
  a = account[from];
  b = account[to];
  account[from] = a - amount;
  account[to] = b + amount;
  finished++
}

init {
  atomic { run Transfer(0, 1, 1); run Transfer(1, 0, 2) };
  finished == 2;
  assert(account[0] + account[1] == 20)
}
