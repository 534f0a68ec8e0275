/* A jump into a d_step from outside.
 * expect: rejected
 */
init {
  byte x;
  d_step {
    x = 1;
inside:
    x = 2
  };
  goto inside
}
