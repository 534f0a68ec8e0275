/* A file that is written aside and renamed into place is there as a whole or not at all.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const char *aside = P_tmpdir "/weave.new", *place = P_tmpdir "/weave.data";
  if (fork() == 0) {
    int fd = open(aside, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    write(fd, "12", 2);
    write(fd, "34", 2);
    close(fd);
    rename(aside, place);
    _exit(0);
  }
  char text[8] = "";
  int fd = open(place, O_RDONLY);
  if (fd >= 0) assert(read(fd, text, 8) == 4 && !strcmp(text, "1234"));
  wait(0);
  return 0;
}
