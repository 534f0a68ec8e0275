/* Behind a break the d_step blocks: an error, though another option of the loop could be taken.
 * expect: violated
 */
byte x;

init {
  d_step { do :: break :: x++ od; x == 5 }
}
