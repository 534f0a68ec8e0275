/* The kernel writes to a pipe on behalf of a thread: nothing of that is modelled, so this is no deadlock.
 * expect: unknown
 * reason: uncontrolled: io_uring_setup
 * run: run
 */
#include <linux/io_uring.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];

static void *send(void *unused) {
  struct io_uring_params q;
  memset(&q, 0, sizeof q);
  int ring = syscall(SYS_io_uring_setup, 2, &q);
  char *queue = mmap(0, q.sq_off.array + q.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
  struct io_uring_sqe *entry = mmap(0, q.sq_entries * sizeof *entry, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_WRITE;
  entry->fd = ends[1];
  entry->addr = (unsigned long)"x";
  entry->len = 1;
  entry->off = -1;
  ((unsigned *)(queue + q.sq_off.array))[0] = 0;
  __atomic_store_n((unsigned *)(queue + q.sq_off.tail), 1, __ATOMIC_RELEASE);
  syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
  return unused;
}

int main(void) {
  pthread_t t;
  char c;
  pipe(ends);
  pthread_create(&t, 0, send, 0);
  read(ends[0], &c, 1);
  pthread_join(t, 0);
  return 0;
}
