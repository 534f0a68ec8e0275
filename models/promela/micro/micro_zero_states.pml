/* An empty model with one process that does one thing: the smallest answer there is.
 * expect: holds
 * spin: 3 3
 */
init {
  skip
}
