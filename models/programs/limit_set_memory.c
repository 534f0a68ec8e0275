/* The program sets a limit of its own, under which no thread can be made. Under control it could be.
 * expect: unknown
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>
void *f(void *x) { return 0; }
int main() {
  struct rlimit r = {3, 3};
  if (setrlimit(RLIMIT_AS, &r)) return 0;
  pthread_t a;
  int e = pthread_create(&a, 0, f, 0);
  assert(e == 0); pthread_join(a, 0);
}
