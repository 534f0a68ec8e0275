/* c!tag(x, y) is c!tag,x,y: only another way to write the same message.
 * expect: holds
 * spin: 8 8
 */
mtype = { set, add };
chan q = [2] of { mtype, byte, byte };

init {
  byte x, y;
  q ! set(1, 2);
  q ! add, 3, 4;
  q ? set(x, y);
  assert(x == 1 && y == 2);
  q ? add, x, y;
  assert(x == 3 && y == 4)
}
