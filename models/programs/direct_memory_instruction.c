/* The same by an instruction of the program's own code, and a call that takes no turn.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <sys/syscall.h>

static unsigned here;

static void *ask(void *p) {
  long number = SYS_getcpu;
  __asm__ volatile("syscall" : "+a"(number) : "D"(&here), "S"(0), "d"(0) : "rcx", "r11", "memory");
  return p;
}

int main(void) {
  pthread_t asker;
  pthread_create(&asker, 0, ask, 0);
  here = 77;
  pthread_join(asker, 0);
  return 0;
}
