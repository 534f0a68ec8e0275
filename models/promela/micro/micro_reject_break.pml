/* A break outside of every loop.
 * expect: rejected
 */
init {
  skip;
  break
}
