/* unsigned x : n holds n bits and wraps at 2^n, on assignment, increment and decrement, also as a record field.
 * expect: holds
 * spin: 14 14
 */
typedef Pair { unsigned lo : 3; unsigned hi : 5 }
unsigned u : 3 = 7;
Pair r;

init {
  unsigned w : 1;
  u++;        assert(u == 0);
  u--;        assert(u == 7);
  u = 12;     assert(u == 4);
  w = 3;      assert(w == 1);
  r.lo = 9;   assert(r.lo == 1);
  r.hi = 33;  assert(r.hi == 1 && r.lo == 1)
}
