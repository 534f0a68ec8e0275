/* A folder as a lock: mkdir fails if it is there. The loser does not look who has it, and enters.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int inside;

static void *work(void *unused) {
  if (mkdir(P_tmpdir "/weave.d", 0700) && errno != EEXIST) return unused;
  __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
  assert(__atomic_load_n(&inside, __ATOMIC_SEQ_CST) == 1);
  __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
  rmdir(P_tmpdir "/weave.d");
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
