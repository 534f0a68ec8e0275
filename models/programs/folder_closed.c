/* A folder is closed while another thread reads it.
 * expect: violated
 * reason: race
 * run: run
 */
#include <dirent.h>
#include <pthread.h>

static DIR *folder;

static void *other(void *unused) {
  closedir(folder);
  return unused;
}

int main(void) {
  pthread_t thread;
  folder = opendir("/tmp");
  pthread_create(&thread, 0, other, 0);
  readdir(folder);
  pthread_join(thread, 0);
  return 0;
}
