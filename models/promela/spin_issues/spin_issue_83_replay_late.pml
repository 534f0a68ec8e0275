/* SPIN's issue 83 once more: the same two buyers after one delivery; the one who comes second waits forever.
 * expect: violated
 * expect deadlock: violated
 * spin: 8 10
 */
byte stock;

active [2] proctype Buyer() {
  atomic { stock > 0 -> stock-- }
}

active proctype Supplier() {
  stock++
}
