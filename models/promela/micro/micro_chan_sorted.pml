/* Sorted send: the message goes before the first one that is larger, compared field by field; equals keep their order.
 * expect: holds
 * spin: 17 17
 */
chan q = [5] of { byte, byte };

init {
  byte a, b;
  q !! 3, 1;
  q !! 1, 2;
  q !! 2, 9;
  q !! 2, 4;
  q !! 1, 2;
  q ? a, b; assert(a == 1 && b == 2);
  q ? a, b; assert(a == 1 && b == 2);
  q ? a, b; assert(a == 2 && b == 4);
  q ? a, b; assert(a == 2 && b == 9);
  q ? a, b; assert(a == 3 && b == 1)
}
