/* How often a segment is attached is not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/shm.h>

static int segment;

static void *other(void *unused) {
  shmat(segment, 0, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct shmid_ds about;
  segment = shmget(IPC_PRIVATE, 4096, 0600);
  pthread_create(&thread, 0, other, 0);
  shmctl(segment, IPC_STAT, &about);
  assert(about.shm_nattch == 0);
  pthread_join(thread, 0);
  return 0;
}
