/* Named mtypes are separate enumerations: numbers start again at 1 in each, so names of different kinds may be equal.
 * expect: holds
 * spin: 7 7
 */
mtype:fruit = { apple, pear };
mtype:colour = { red, green, blue };
mtype:fruit f = apple;
mtype:colour k = blue;
chan q = [1] of { mtype:fruit, mtype:colour };

init {
  assert(pear == 1 && apple == 2 && blue == 1 && green == 2 && red == 3);
  q ! pear, red;
  q ? f, k;
  assert(f == pear && k == red);
  printf("%e %e\n", f, k)
}
