/* Random receive ?? takes the first message that matches, wherever it stands; the others keep their order.
 * expect: holds
 * spin: 14 14
 */
mtype = { red, blue };
chan q = [4] of { mtype, byte };

init {
  byte v;
  q ! red, 1;
  q ! blue, 2;
  q ! red, 3;
  q ! blue, 4;
  q ?? blue, v; assert(v == 2);
  q ?? blue, v; assert(v == 4);
  q ? red, v;   assert(v == 1);
  q ?? _, v;    assert(v == 3 && empty(q))
}
