/* fopen with "w" cuts off a file that another thread reads in memory.
 * expect: unknown
 * run: run
 * reason: uncontrolled: a file that is mapped
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME P_tmpdir "/weave.data"

static void *begins_anew(void *unused) {
  FILE *log = fopen(NAME, "w");
  fprintf(log, "%5000d", 0);
  fclose(log);
  return unused;
}

int main(void) {
  int file = open(NAME, O_CREAT | O_RDWR, 0600);
  assert(write(file, "first", 5) == 5);
  const char *log = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
  pthread_t other;
  pthread_create(&other, 0, begins_anew, 0);
  assert(log[0] == 'f');
  pthread_join(other, 0);
  return 0;
}
