/* printf and its formats: %d %u %x %o %c %e; it changes nothing and is one step.
 * expect: holds
 * spin: 6 6
 */
mtype = { hello };
byte x = 65;

init {
  printf("plain\n");
  printf("%d %u %x %o %c %e%%\n", x, x, x, x, x, hello);
  printf("MSC: a line for the chart\n");
  assert(x == 65)
}
