/* SPIN's issue 44: the grammar of the manual lets an array element or a record field count a for loop; SPIN refuses it
 * ("bad index in for-construct"). Ours follows the manual.
 * expect: holds
 */
typedef R { byte i }
byte a[2], sum;
R r;

init {
  for (a[0] : 1 .. 3) {
    sum = sum + a[0]
  }
  assert(sum == 6);
  for (r.i : 1 .. 2) {
    sum = sum + r.i
  }
  assert(sum == 9 && a[1] == 0)
}
