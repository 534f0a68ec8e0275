/* Constants: true, false, skip as a value, characters in quotes, names by #define; negative numbers.
 * expect: holds
 * spin: 5 5
 */
#define MINUS -3
byte c = 'a';

init {
  assert(true == 1 && false == 0 && skip);
  assert(c == 97 && 'b' - 'a' == 1);
  assert(MINUS + 3 == 0)
}
