/* An inline with return as the right side of an assignment (since SPIN 6.4): the returned expression is assigned.
 * expect: holds
 * spin: 10 10
 */
inline maximum(x, y) {
  if
  :: x > y -> m = x
  :: else -> m = y
  fi;
  return m
}

init {
  byte m, r;
  r = maximum(3, 8);
  assert(r == 8);
  r = maximum(r, 9);
  assert(r == 9 && m == 9)
}
