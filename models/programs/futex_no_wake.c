/* As futex_lock.c, but the unlock wakes no thread.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *run(void *unused) {
  while (atomic_exchange(&word, 1)) syscall(SYS_futex, &word, FUTEX_WAIT, 1, 0, 0, 0);
  atomic_store(&word, 0); /* FUTEX_WAKE is missing */
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  run(0);
  pthread_join(other, 0);
  return 0;
}
