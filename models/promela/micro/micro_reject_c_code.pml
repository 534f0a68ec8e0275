/* Embedded C is no part of the language that is checked here: a clear diagnostic, not a guess. (SPIN accepts it.)
 * expect: rejected
 */
byte x;

init {
  c_code { now.x = 1; };
  assert(x == 1)
}
