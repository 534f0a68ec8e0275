/* A lock in assembler, which no instrumentation sees: the loop is no divergence, and nothing is claimed.
 * expect: unknown
 * reason: uncontrolled
 * run: run --divergence 300ms
 */
#include <pthread.h>

static volatile int locked;

static void lock(void) {
  int old = 1;
  while (old) __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(locked) : : "memory");
}
static void unlock(void) { __asm__ volatile("movl $0, %0" : "=m"(locked) : : "memory"); }

static pthread_mutex_t inside = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *enter(void *unused) {
  lock();
  pthread_mutex_lock(&inside);
  count++;
  pthread_mutex_unlock(&inside);
  unlock();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, enter, 0);
  enter(0);
  pthread_join(t, 0);
  return count != 2;
}
