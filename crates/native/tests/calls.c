/* Makes the system calls of these numbers, with arguments that make no sense, while another
   thread exists. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *work(void *unused) { return unused; }

int main(int count, char **numbers) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  for (int i = 1; i < count; i++) syscall(atol(numbers[i]), -1l, -1l, -1l, -1l, -1l, -1l);
  pthread_join(t, 0);
  return 0;
}
