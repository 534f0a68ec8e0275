/* While a rendezvous looks for a partner, only receivers are looked at: B's guard has no value then, but B is not asked.
 * The atomic sequence of S blocks at the send and loses control; only then B's index is a fault.
 * expect: violated
 * expect runtime: violated
 */
chan c = [0] of { byte };
byte a[2], i;

active proctype S() {
  atomic { i = 5; c!1 }
}

active proctype B() {
  a[i] == 1
}
