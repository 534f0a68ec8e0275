/* Each of two threads makes a file; in which order the folder lists them depends on who came first.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void *make(void *path) {
  close(open(path, O_CREAT | O_WRONLY, 0600));
  return 0;
}

int main(void) {
  pthread_t a, b;
  mkdir(P_tmpdir "/d", 0700);
  pthread_create(&a, 0, make, P_tmpdir "/d/a");
  pthread_create(&b, 0, make, P_tmpdir "/d/b");
  pthread_join(a, 0);
  pthread_join(b, 0);
  DIR *folder = opendir(P_tmpdir "/d");
  char first = 0;
  for (struct dirent *e; (e = readdir(folder));)
    if (e->d_name[0] != 0x2e && !first) first = e->d_name[0];
  assert(first == 0x62);
  return 0;
}
