/* One use of each function whose arguments point to memory of the program, for each such
 * argument (call_memory.inc), chosen by number: a thread makes the call, and main writes a byte
 * of the object, in no order with it. Each is a race. */
#define _GNU_SOURCE
#include <aio.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <grp.h>
#include <locale.h>
#include <math.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

static char a[8192] = "12 text", b[8192] = "text", c[8192], *pointer = a, *words[] = {"a", 0};
static wchar_t w[64] = L"wide", x[64] = L"wide";
static int n = 1, fd, made, p[2], s[2], epoll, queue = -1, semaphores, messages, segment, argc = 1;
static unsigned u;
static long l;
static double d;
static size_t z;
static off_t at_file, there;
static time_t now;
static struct tm tm;
static struct timespec ts = {0, 1}, later = {2000000000, 0}, rest, twice[2];
static struct timeval tv, both[2];
static struct stat st;
static struct statx sx;
static struct rlimit limit;
static struct rusage usage;
static struct tms used;
static struct utsname name;
static struct utimbuf stamps;
static struct itimerval interval, interval_old;
static struct itimerspec spec, spec_old;
static struct sigevent event;
static timer_t timer;
static sigset_t set, old;
static struct sigaction action, action_old;
static siginfo_t info;
static stack_t stack, stack_old;
static jmp_buf jump;
static cpu_set_t cpus;
static struct sched_param how;
static struct pollfd fds[1];
static fd_set in, out, odd;
static struct epoll_event ready;
static struct iovec parts[1] = {{c, 1}};
static struct msghdr message = {.msg_iov = parts, .msg_iovlen = 1};
static struct sockaddr_un address;
static socklen_t length = sizeof address;
static struct mq_attr limits = {0, 5, 64, 0}, old_limits;
static struct sembuf up = {0, 1, 0};
static unsigned short values[1] = {1};
static struct semid_ds about_semaphores;
static struct msqid_ds about_messages;
static struct shmid_ds about_segment;
static struct { long type; char text[8]; } letter = {1, "a"};
static struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
static struct f_owner_ex owner;
static Dl_info where;
static fpos_t place;
static FILE *file, *other;
static DIR *folder;
static void *memory, *result;
static pthread_t thread;
static thrd_t c11;
static pthread_key_t key;
static tss_t tss;
static pthread_attr_t attr;
static pthread_mutexattr_t mutexattr;
static pthread_condattr_t condattr;
static pthread_rwlockattr_t rwlockattr;
static pthread_barrierattr_t barrierattr;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static mtx_t mtx;
static cnd_t cnd;
static sem_t sem, *named;
#define DIR_ "/tmp/weave.call_memory"
#define FILE_ DIR_ "/f"

int __xpg_strerror_r(int, char *, size_t);
static int order(const void *one, const void *two) { return *(const char *)one - *(const char *)two; }
static int order_more(const void *one, const void *two, void *more) { return (void)more, order(one, two); }
static void nothing(void) {}
static void nothing_of(void *value) { (void)value; }
static void *end(void *value) { return value; }
static int end11(void *value) { return (void)value, 0; }
static void has_file(void) {
  mkdir(DIR_, 0700);
  unlink(FILE_);
  fd = open(FILE_, O_CREAT | O_RDWR, 0600);
  write(fd, "12 text\n", 8);
  lseek(fd, 0, SEEK_SET);
}
static void has_stream(void) {
  has_file();
  file = fdopen(fd, "r+");
}
static void has_queue(void) { queue = mq_open("/weave.call_memory", O_CREAT | O_RDWR, 0600, &limits); }
static void has_path(const char *path) { has_file(), strcpy(a, path); }
static int reads_of(const char *how, ...) {
  va_list list;
  va_start(list, how);
  int done = vprintf(how, list);
  va_end(list);
  return done;
}
static int reads_of_file(const char *how, ...) {
  va_list list;
  va_start(list, how);
  int done = vfprintf(file, how, list);
  va_end(list);
  return done;
}
static int put_of(int bounded, const char *how, ...) {
  va_list list;
  va_start(list, how);
  int done = bounded ? vsnprintf(c, 64, how, list) : vsprintf(c, how, list);
  va_end(list);
  return done;
}

static char *volatile object;
static volatile long kept; /* so that no call is left out */
static void set_up(int use) {
  switch (use) {
#define USE(function, at, before, ...) \
  case __LINE__: before; object = (char *)(at); break;
#include "call_memory.inc"
#undef USE
  }
}
static void call(int use) {
  switch (use) {
#define USE(function, at, before, ...) \
  case __LINE__: kept = (long)(__VA_ARGS__); break;
#include "call_memory.inc"
#undef USE
  }
}

static int use;
static void *calls(void *unused) {
  call(use);
  return unused;
}
int main(int count, char **arguments) {
  use = count > 1 ? atoi(arguments[1]) : 0;
  pipe(p);
  write(p[1], "12 text", 7);
  socketpair(AF_UNIX, SOCK_STREAM, 0, s);
  write(s[1], "12 text", 7);
  set_up(use);
  pthread_t thread;
  pthread_create(&thread, 0, calls, 0);
  *object = *object;
  pthread_join(thread, 0);
  return 0;
}
