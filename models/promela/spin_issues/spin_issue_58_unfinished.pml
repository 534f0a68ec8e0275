/* Of the family of SPIN's issues 56, 57, 58 (crashes of its scanner on broken input): a file that stops in the middle,
 * in a string, in a block, in a macro call, with a comment that never ends.
 * expect: rejected
 */
#define TWICE(x) x; x
init {
  byte n;
  TWICE(n++);
  atomic { if :: n == 2 -> printf("never closed
