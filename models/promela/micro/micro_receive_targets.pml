/* A receive may store into array elements, record fields, and the same variable as another process reads.
 * expect: holds
 * spin: 6 6
 */
typedef R { byte f[2] }
chan q = [1] of { byte, byte, byte };
byte a[3];
R r;
byte g;

active proctype P() {
  q ! 1, 2, 3
}

active proctype Q() {
  byte i = 2;
  q ? a[i], r.f[1], g;
  assert(a[2] == 1 && r.f[1] == 2 && g == 3 && a[0] == 0)
}
