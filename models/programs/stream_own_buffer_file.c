/* Two threads print to a stream with a buffer of the program: the lock of the stream orders them.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <stdio.h>
static char buffer[100];
FILE *o;
void *f(void *arg) {
  fputs("a", o);
  return arg;
}
int main(void) {
  o = tmpfile();
  setvbuf(o, buffer, _IOFBF, sizeof buffer);
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
}
