/* The program limits the length of its files: what it prints when it fails is one to us.
 * expect: unknown
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>
void *f(void *x) { return 0; }
int main() {
  struct rlimit r = {3, 3};
  setrlimit(RLIMIT_FSIZE, &r);
  pthread_t a;
  pthread_create(&a, 0, f, 0);
  pthread_join(a, 0);
  assert(0);
}
