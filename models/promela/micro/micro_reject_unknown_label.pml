/* A goto to a label that is not there.
 * expect: rejected
 */
init {
  goto nowhere;
  skip
}
