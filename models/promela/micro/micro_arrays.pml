/* Arrays: one initialiser for all elements, index expressions, arrays of bits, arrays local to a process.
 * (SPIN refuses to index an array with itself, a[a[1]]; so this model does not.)
 * expect: holds
 * spin: 11 11
 */
byte a[4] = 3;
byte at[2] = 2;
bit flags[5];

init {
  short mine[3] = -1;
  assert(a[0] == 3 && a[3] == 3 && mine[2] == -1);
  a[at[1] + 1] = 1;
  assert(a[3] == 1);
  a[at[0]]++;
  assert(a[2] == 4);
  flags[4] = 1;
  assert(flags[0] == 0 && flags[4]);
  mine[1] = a[2] - 7;
  assert(mine[1] == -3)
}
