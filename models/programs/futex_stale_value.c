/* A semaphore that sleeps on the count it read before it tried, not on the one that made it fail: the count may be back by then, and
 * the wake-up over. This is how std::counting_semaphore of libstdc++ 12 sleeps forever (its bug 104928), which `weave run` finds in a
 * program of six lines.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int count = 1;

static void acquire(void) {
  for (;;) {
    int seen = atomic_load(&count), now = atomic_load(&count);
    if (now && atomic_compare_exchange_strong(&count, &now, now - 1)) return;
#ifdef FIX
    seen = 0;
#endif
    syscall(SYS_futex, &count, FUTEX_WAIT, seen, 0, 0, 0);
  }
}

static void release(void) {
  if (atomic_fetch_add(&count, 1) == 0) syscall(SYS_futex, &count, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

static void *run(void *unused) {
  acquire();
  release();
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  run(0);
  pthread_join(other, 0);
  return 0;
}
