/* getopt reads the environment: where POSIXLY_CORRECT is set, it stops at the first word.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <stdlib.h>

void *f(void *arg) {
  setenv("POSIXLY_CORRECT", "1", 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  char *words[] = {"a", "b", "-c", 0};
  assert(getopt(3, words, "c") == 'c');
  pthread_join(t, 0);
}
