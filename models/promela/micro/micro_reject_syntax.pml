/* Several mistakes in one file: each deserves its own diagnostic, in one run.
 * expect: rejected
 */
byte x = ;

proctype P( {
  x = 1
}

init {
  if
  :: x == 1 -> skip
  od;
  x = = 2
}
