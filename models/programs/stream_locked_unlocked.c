/* Who holds the lock of a stream may use it without taking it again.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <stdio.h>
FILE *o;
void *f(void *arg) {
  flockfile(o);
  putc_unlocked('a', o);
  funlockfile(o);
  return arg;
}
int main(void) {
  o = tmpfile();
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  fputc('b', o);
  pthread_join(t, 0);
}
