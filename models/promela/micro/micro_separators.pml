/* Separators: ; and -> mean the same; empty ones, one before a closing brace, none after a block.
 * expect: holds
 * spin: 14 14
 */
byte x;

init {
  x = 1 -> x = 2 ;
  ;
  if
  :: x == 2 ; x = 3
  fi
  { x++ }
  do
  :: x < 6 -> x++;
  :: else break
  od
  atomic { x++; }
  assert(x == 7);
}
