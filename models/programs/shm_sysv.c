/* A mutex that processes share, in System V memory.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  pthread_mutex_t lock;
  int counter;
};

int main(void) {
  int id = shmget(IPC_PRIVATE, sizeof(struct shared), 0600);
  struct shared *s = shmat(id, 0, 0);
  pthread_mutexattr_t between;
  pthread_mutexattr_init(&between);
  pthread_mutexattr_setpshared(&between, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&s->lock, &between);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) {
      struct shared *mine = shmat(id, 0, 0);
      pthread_mutex_lock(&mine->lock);
      mine->counter++;
      pthread_mutex_unlock(&mine->lock);
      _exit(0);
    }
  wait(0);
  wait(0);
  assert(s->counter == 2);
  shmctl(id, IPC_RMID, 0);
  return 0;
}
