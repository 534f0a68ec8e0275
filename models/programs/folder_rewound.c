/* A folder that is open has an order: it is rewound in one thread and read in another.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

static DIR *folder;

static void *other(void *unused) {
  rewinddir(folder);
  return unused;
}

int main(void) {
  pthread_t thread;
  mkdir(P_tmpdir "/weave.folder", 0700);
  folder = opendir(P_tmpdir "/weave.folder");
  readdir(folder);
  readdir(folder);
  pthread_create(&thread, 0, other, 0);
  assert(readdir(folder) == 0);
  pthread_join(thread, 0);
  return 0;
}
