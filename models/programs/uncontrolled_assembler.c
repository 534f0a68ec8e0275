/* A system call made by the program's own code, past every library: caught all the same.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <sys/syscall.h>

int main(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
  return result < 0;
}
