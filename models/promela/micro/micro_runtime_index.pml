/* Index out of bounds: a violation with a trace, where the index is evaluated. SPIN reports "invalid array index".
 * expect: violated
 * expect runtime: violated
 */
byte a[3];

init {
  byte i;
  do
  :: i <= 3 -> a[i] = 1; i++
  :: else -> break
  od
}
