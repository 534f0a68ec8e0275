/* A lock made of a futex, in the manner of Drepper: 0 free, 1 locked, 2 locked and a thread may wait.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int counter;

static void lock(void) {
  int free = 0;
  if (atomic_compare_exchange_strong(&word, &free, 1)) return;
  while (atomic_exchange(&word, 2) != 0) syscall(SYS_futex, &word, FUTEX_WAIT, 2, 0, 0, 0);
}

static void unlock(void) {
  if (atomic_exchange(&word, 0) == 2) syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
}

static void *run(void *unused) {
  lock();
  counter++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  run(0);
  pthread_join(other, 0);
  assert(counter == 2);
  return 0;
}
