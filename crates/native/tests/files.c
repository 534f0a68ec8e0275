/* Executes scripts over files, one a thread or process, and tells at the end what each has seen.
 *
 * arguments: t or p; a file for what is seen, one line a run; the scripts: words of a letter and
 * its operands. Files 0 and 1 are open in descriptors that all share; names are a, b, c in a
 * folder of their own. tests/files.rs knows what each does. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOLDER "/tmp/files"
static int file[2], end[2];
static pthread_mutex_t *mutex;
static char (*seen)[64];

static const char *path(char name) {
  static __thread char text[2][32];
  static __thread int which;
  which ^= 1;
  sprintf(text[which], FOLDER "/%c", name);
  return text[which];
}
static void tell(int me, const char *what) { strcat(seen[me], what); }
static void reported(int me, int yes) { tell(me, yes ? "+" : "-"); }
static void read_all(int me, int fd) {
  char text[8] = "";
  if (pread(fd, text, 7, 0) < 0) abort();
  tell(me, text);
  tell(me, ".");
}
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static void list(int me) {
  char names[8] = "";
  int n = 0;
  DIR *folder = opendir(FOLDER);
  for (struct dirent *e; (e = readdir(folder));)
    if (e->d_name[0] != '.') names[n++] = e->d_name[0];
  closedir(folder);
  qsort(names, (size_t)n, 1, compare);
  tell(me, names);
  tell(me, ".");
}

static void run(int me, const char *s) {
  struct stat about;
  char text[4] = "";
  for (; *s; s++) {
    int f = s[1] - '0', fd;
    switch (*s) {
    case 'w': pwrite(file[f], s + 3, 1, s[2] - '0'), s += 3; break;
    case 'r': read_all(me, file[f]), s += 1; break;
    case 'p': write(file[f], s + 2, 1), s += 2; break;
    case 'q': reported(me, read(file[f], text, 1) == 1), tell(me, text), text[0] = 0, s += 1; break;
    case 's': lseek(file[f], 0, SEEK_SET), s += 1; break;
    case 'a': write(end[f], s + 2, 1), s += 2; break;
    case 't': ftruncate(file[f], 0), s += 1; break;
    case 'z':
      fstat(file[f], &about);
      text[0] = (char)('0' + about.st_size), tell(me, text), text[0] = 0, s += 1;
      break;
    case 'x':
      fd = open(path(s[1]), O_CREAT | O_EXCL | O_WRONLY, 0600);
      reported(me, fd >= 0), close(fd), s += 1;
      break;
    case 'o': close(open(path(s[1]), O_CREAT | O_WRONLY, 0600)), s += 1; break;
    case 'e': reported(me, access(path(s[1]), F_OK) == 0), s += 1; break;
    case 'u': reported(me, unlink(path(s[1])) == 0), s += 1; break;
    case 'n': reported(me, rename(path(s[1]), path(s[2])) == 0), s += 2; break;
    case 'k': reported(me, link(path(s[1]), path(s[2])) == 0), s += 2; break;
    case 'l': list(me); break;
    case 'W':
      fd = open(path(s[1]), O_CREAT | O_TRUNC | O_WRONLY, 0600);
      write(fd, s + 2, 1);
      close(fd), s += 2;
      break;
    case 'T': close(open(path(s[1]), O_CREAT | O_TRUNC | O_WRONLY, 0600)), s += 1; break;
    case 'R':
      fd = open(path(s[1]), O_RDONLY);
      reported(me, fd >= 0);
      if (fd >= 0) read_all(me, fd), close(fd);
      s += 1;
      break;
    case 'F': {
      FILE *stream = fopen(path(s[1]), "a");
      fputc(s[2], stream);
      fclose(stream), s += 2;
      break;
    }
    case 'L': pthread_mutex_lock(mutex); break;
    case 'U': pthread_mutex_unlock(mutex); break;
    default: abort();
    }
  }
}

static char **scripts;
static void *thread(void *number) {
  run((int)(long)number, scripts[(long)number]);
  return 0;
}

int main(int count, char **words) {
  int n = count - 3, processes = words[1][0] == 'p';
  pthread_t threads[8];
  scripts = words + 3;
  seen = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  mutex = (pthread_mutex_t *)(seen + 32);
  pthread_mutexattr_t shared;
  pthread_mutexattr_init(&shared);
  pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(mutex, &shared);
  if (mkdir(FOLDER, 0700)) abort();
  for (int i = 0; i < 2; i++) {
    char name[] = {'/', 't', 'm', 'p', '/', (char)('0' + i), 0};
    file[i] = open(name, O_CREAT | O_RDWR, 0600);
    end[i] = open(name, O_WRONLY | O_APPEND);
  }
  for (long i = 0; i < n; i++) {
    if (!processes) pthread_create(&threads[i], 0, thread, (void *)i);
    else if (fork() == 0) run((int)i, scripts[i]), _exit(0);
  }
  for (int i = 0; i < n; i++) {
    if (!processes) pthread_join(threads[i], 0);
    else wait(0);
  }
  read_all(n, file[0]);
  read_all(n, file[1]);
  list(n);
  for (const char *name = "abc"; *name; name++) run(n, (char[]){'R', *name, 0});
  int log = open(words[2], O_CREAT | O_WRONLY | O_APPEND, 0600);
  char line[512] = "";
  for (int i = 0; i <= n; i++) strcat(strcat(line, seen[i]), " ");
  strcat(line, "\n");
  if (write(log, line, strlen(line)) < 0) abort();
  return 0;
}
