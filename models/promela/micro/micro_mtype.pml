/* Symbolic names are numbered from the end of each declaration; later declarations continue; 0 is no name.
 * expect: holds
 * spin: 9 9
 */
mtype = { a, b, c };
mtype = { d };
mtype v, w = b;
mtype arr[3] = c;

init {
  assert(c == 1 && b == 2 && a == 3 && d == 4);
  assert(v == 0 && w == b && arr[0] == c && arr[2] == c);
  v = d;
  arr[1] = v;
  printf("%e is %d\n", arr[1], arr[1]);
  printm(arr[1]);
  assert(arr[1] > a)
}
