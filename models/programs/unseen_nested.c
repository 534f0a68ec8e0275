/* A function inside of a function shares its variables, and the compiler instruments none of them.
 * expect: unknown
 * run: run
 * reason: complete for the operations seen
 */
#include <pthread.h>

int main(void) {
  int shared = 0;
  volatile int seen;
  void *writes(void *unused) {
    shared = 5;
    return unused;
  }
  pthread_t writer;
  pthread_create(&writer, 0, writes, 0);
  seen = shared;
  pthread_join(writer, 0);
  return seen == 7;
}
