/* Every basic type and what an assignment does to a value that does not fit: it is truncated, silently.
 * expect: holds
 * spin: 27 27
 */
bit a = 1;
bool b = true;
byte c = 255;
pid p = 7;
short s = -32768;
int i = 2147483647;
chan q;
mtype = { red, green };
mtype m;

init {
  assert(a == 1 && b == 1 && c == 255 && p == 7 && s == -32768 && m == 0);
  a = 2;   assert(a == 0);
  a = 3;   assert(a == 1);
  b = 2;   assert(b == false);
  c++;     assert(c == 0);
  c--;     assert(c == 255);
  c = 256 + 17; assert(c == 17);
  c = -1;  assert(c == 255);
  s--;     assert(s == 32767);
  s = 40000; assert(s == -25536);
  i++;     assert(i < 0);
  p = 258; assert(p == 2);
  m = green; assert(m != red)
}
