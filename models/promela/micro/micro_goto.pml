/* goto jumps to any label of the same process, out of loops and into blocks; a label names the state before its statement.
 * expect: holds
 * spin: 12 12
 */
init {
  byte n;
again:
  n++;
  if
  :: n < 3 -> goto again
  :: n == 3 -> goto inside
  :: n > 3 -> goto out
  fi;
  {
    assert(false);
inside:
    n = 10;
    goto again
  };
out:
  assert(n == 11)
}
