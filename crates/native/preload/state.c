/* What the C library or the kernel keeps for a whole process, and functions that read or change
   it: each such thing is one object. */
#include "accesses.h"
#include "files.h"
#include <dirent.h>
#include <grp.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <stddef.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define READS_STATE(which) weave_state(STATE_##which, HOW_READ, CALLER)
#define CHANGES_STATE(which) weave_state(STATE_##which, HOW_UPDATE, CALLER)
#define COMMON_READ(which) weave_common(COMMON_##which, HOW_READ, CALLER)
#define COMMON_CHANGE(which) weave_common(COMMON_##which, HOW_UPDATE, CALLER)

/* State that the C library does not lock: calls in no order race, as accesses to a variable do. */
#define WRITES_UNLOCKED(which) WRITES((void *)UNLOCKED_##which, 1)

/* Numbers at random. */
#define DRAWS(type, name, which)  \
  EXPORT type name(void) {        \
    CHANGES_STATE(which);         \
    return REAL(name)();          \
  }
DRAWS(int, rand, RANDOM)
DRAWS(long, random, RANDOM)
#define DRAWS48(type, name)         \
  EXPORT type name(void) {          \
    CHANGES_STATE(RANDOM48);        \
    WRITES_UNLOCKED(RANDOM48);      \
    return REAL(name)();            \
  }
DRAWS48(double, drand48)
DRAWS48(long, lrand48)
DRAWS48(long, mrand48)
EXPORT void srand(unsigned seed) {
  CHANGES_STATE(RANDOM);
  REAL(srand)(seed);
}
EXPORT void srandom(unsigned seed) {
  CHANGES_STATE(RANDOM);
  REAL(srandom)(seed);
}
EXPORT void srand48(long seed) {
  CHANGES_STATE(RANDOM48);
  WRITES_UNLOCKED(RANDOM48);
  REAL(srand48)(seed);
}

/* The environment. Texts that the program has put into it are its own memory. */
static char *lent[16];
static void looks(const char *name, uint64_t pc) {
  weave_text_read(name, pc);
  for (size_t i = 0; i < sizeof lent / sizeof *lent && lent[i]; i++) weave_text_read(lent[i], pc);
  weave_state(STATE_ENVIRONMENT, HOW_READ, pc);
  weave_reads((void *)UNLOCKED_ENVIRONMENT, 1, pc);
}
#define CHANGES_ENVIRONMENT CHANGES_STATE(ENVIRONMENT), WRITES_UNLOCKED(ENVIRONMENT)
TELLS(char *, getenv, (const char *name), (name), looks(name, CALLER))
TELLS(char *, secure_getenv, (const char *name), (name), looks(name, CALLER))
TELLS(int, setenv, (const char *name, const char *value, int replace), (name, value, replace), TEXT(name), TEXT(value), CHANGES_ENVIRONMENT)
TELLS(int, unsetenv, (const char *name), (name), TEXT(name), CHANGES_ENVIRONMENT)
TELLS(int, clearenv, (void), (), CHANGES_ENVIRONMENT)
EXPORT int putenv(char *text) {
  TEXT(text);
  CHANGES_ENVIRONMENT;
  size_t i = 0;
  while (i < sizeof lent / sizeof *lent && lent[i] && lent[i] != text) i++;
  if (i < sizeof lent / sizeof *lent) lent[i] = text;
  else if (weave_me) weave_text(OP_UNCONTROLLED, "more than 16 calls of putenv", 0, CALLER);
  return REAL(putenv)(text);
}

/* Rights, limits, priorities. */
EXPORT mode_t umask(mode_t mask) {
  CHANGES_STATE(UMASK);
  return REAL(umask)(mask);
}
EXPORT int getrlimit(__rlimit_resource_t what, struct rlimit *to) {
  OUT(to);
  READS_STATE(LIMITS);
  return REAL(getrlimit)(what, to);
}
EXPORT int setrlimit(__rlimit_resource_t what, const struct rlimit *from) {
  IN(from);
  CHANGES_STATE(LIMITS);
  /* Memory, files and processes are those of weave, too: what a program gets under such a limit is not what it would get alone. */
  if (weave_me && what != RLIMIT_NOFILE && what != RLIMIT_CORE) weave_text(OP_UNCONTROLLED, "setrlimit", OTHERWISE, CALLER);
  return REAL(setrlimit)(what, from);
}
/* Some of what it says is a limit. */
TELLS(long, sysconf, (int what), (what), if (what == _SC_OPEN_MAX || what == _SC_CHILD_MAX || what == _SC_ARG_MAX) READS_STATE(LIMITS))
TELLS(int, isatty, (int fd), (fd), weave_before_number_call(SYS_ioctl, (long[6]){fd}, CALLER))
EXPORT int memfd_create(const char *name, unsigned flags) {
  TEXT(name);
  weave_before_number_call(SYS_memfd_create, (long[6]){0}, CALLER);
  if (flags & MFD_HUGETLB && weave_me) weave_huge_pages(CALLER);
  int fd = REAL(memfd_create)(name, flags);
  weave_made_unnamed(fd, "/memfd:");
  return fd;
}
/* A call that names a process by its number: there is none once it is waited for. `any`: a group or
   a user, of which any process may be a part. */
static void names_process(uint64_t which, uint32_t how, pid_t pid, int any, uint64_t pc) {
  struct weave_kept_state all[3] = {{which, how}};
  unsigned count = 1;
  if (!weave_me || weave_is_own(pc)) return;
  if (pid > 0 && pid != weave_me->pid && pid != weave_me->tid) {
    int slot = weave_slot_of(pid);
    if (slot >= 0) all[count++] = (struct weave_kept_state){COMMON_BEING((uint64_t)slot), HOW_READ};
    else weave_text(OP_UNCONTROLLED, "a call that names a thread, or a process outside, by number", 0, pc);
  }
  if (any) all[count++] = (struct weave_kept_state){COMMON_BEING(LIM_SLOTS), HOW_READ};
  weave_commons(all, count, pc);
}
#define NAMES_PROCESS(which, how, pid, any) names_process(COMMON_##which, how, pid, any, CALLER)
EXPORT int getpriority(__priority_which_t which, id_t who) {
  NAMES_PROCESS(SCHEDULING, HOW_READ, which == PRIO_PROCESS ? (pid_t)who : 0, which != PRIO_PROCESS);
  return REAL(getpriority)(which, who);
}
EXPORT int setpriority(__priority_which_t which, id_t who, int to) {
  NAMES_PROCESS(SCHEDULING, HOW_UPDATE, which == PRIO_PROCESS ? (pid_t)who : 0, which != PRIO_PROCESS);
  return REAL(setpriority)(which, who, to);
}
EXPORT int nice(int more) {
  COMMON_CHANGE(SCHEDULING);
  return REAL(nice)(more);
}

/* Answers that lie in a place of the library, which is written. */
static void *answer(void *at, size_t size, uint64_t pc) {
  if (at && weave_me && !weave_is_own(pc)) weave_access(at, size, 1, pc);
  return at;
}
/* The time zone is a variable of the environment, and what was made of it by the last who
   looked. The C library looks as getenv does, without the lock of setenv. */
void weave_reads_zone(uint64_t pc) {
  weave_reads((void *)UNLOCKED_ENVIRONMENT, 1, pc);
  weave_states((struct weave_kept_state[]){{STATE_ENVIRONMENT, HOW_READ}, {STATE_ZONE, HOW_READ}}, 2, pc);
}
static void sets_zone(uint64_t pc) {
  weave_reads((void *)UNLOCKED_ENVIRONMENT, 1, pc);
  weave_states((struct weave_kept_state[]){{STATE_ENVIRONMENT, HOW_READ}, {STATE_ZONE, HOW_UPDATE}}, 2, pc);
}
static void sets_zone_and_place(uint64_t pc) {
  weave_reads((void *)UNLOCKED_ENVIRONMENT, 1, pc);
  weave_states((struct weave_kept_state[]){{STATE_ENVIRONMENT, HOW_READ}, {STATE_ZONE, HOW_UPDATE}, {STATE_CALENDAR, HOW_UPDATE}}, 3, pc);
}
#define MADE(type, name, given, size, ...)                     \
  EXPORT type *name(given) {                                   \
    IN(from);                                                  \
    __VA_ARGS__;                                               \
    return answer(REAL(name)(from), size, CALLER);             \
  }
MADE(struct tm, localtime, const time_t *from, sizeof(struct tm), sets_zone_and_place(CALLER))
MADE(struct tm, gmtime, const time_t *from, sizeof(struct tm), CHANGES_STATE(CALENDAR))
MADE(char, ctime, const time_t *from, 26, sets_zone_and_place(CALLER))
MADE(char, asctime, const struct tm *from, 26, CHANGES_STATE(CALENDAR))
TELLS(void, tzset, (void), (), sets_zone(CALLER))
TELLS(time_t, mktime, (struct tm *at), (at), OUT(at), sets_zone(CALLER))
TELLS(time_t, timelocal, (struct tm *at), (at), OUT(at), sets_zone(CALLER))
EXPORT char *setlocale(int category, const char *locale) {
  weave_state(STATE_LOCALE, locale ? HOW_UPDATE : HOW_READ, CALLER);
  TEXT(locale);
  /* What every function makes of characters and numbers. */
  if (locale && weave_me && weave_has_threads()) weave_text(OP_UNCONTROLLED, "setlocale while other threads exist", 0, CALLER);
  return REAL(setlocale)(category, locale);
}
EXPORT struct lconv *localeconv(void) {
  CHANGES_STATE(LOCALE);
  return answer(REAL(localeconv)(), sizeof(struct lconv), CALLER);
}
/* A text that is made for this thread takes the place of the last one; others never change. */
static void drops(const char *last, uint64_t pc) {
  if (last) weave_writes(last, strlen(last) + 1, pc);
}
static char *made(char *text, char **last, uint64_t pc) {
  *last = text && (!strncmp(text, "Unknown", 7) || !strncmp(text, "Real-time", 9)) ? text : 0;
  if (*last) weave_writes(text, strlen(text) + 1, pc);
  return text;
}
EXPORT char *strerror(int error) {
  static __thread char *last __attribute__((tls_model("initial-exec")));
  CHANGES_STATE(ERRORS);
  drops(last, CALLER);
  return made(REAL(strerror)(error), &last, CALLER);
}
EXPORT char *strsignal(int signal) {
  static __thread char *last __attribute__((tls_model("initial-exec")));
  CHANGES_STATE(ERRORS);
  drops(last, CALLER);
  return made(REAL(strsignal)(signal), &last, CALLER);
}
EXPORT int getopt(int count, char *const *words, const char *known) {
  weave_states((struct weave_kept_state[]){{STATE_ENVIRONMENT, HOW_READ}, {STATE_OPTIONS, HOW_UPDATE}}, 2, CALLER);
  WRITES(words, (size_t)(count < 0 ? 0 : count) * sizeof *words);
  for (int i = 0; i < count && words[i]; i++) TEXT(words[i]);
  TEXT(known);
  OUT(&optarg);
  OUT(&optind);
  OUT(&opterr);
  OUT(&optopt);
  return REAL(getopt)(count, words, known);
}
EXPORT struct passwd *getpwnam(const char *name) {
  TEXT(name);
  CHANGES_STATE(USERS);
  return answer(REAL(getpwnam)(name), sizeof(struct passwd), CALLER);
}
EXPORT struct passwd *getpwuid(uid_t id) {
  CHANGES_STATE(USERS);
  return answer(REAL(getpwuid)(id), sizeof(struct passwd), CALLER);
}
EXPORT struct group *getgrnam(const char *name) {
  TEXT(name);
  CHANGES_STATE(USERS);
  return answer(REAL(getgrnam)(name), sizeof(struct group), CALLER);
}
EXPORT struct group *getgrgid(gid_t id) {
  CHANGES_STATE(USERS);
  return answer(REAL(getgrgid)(id), sizeof(struct group), CALLER);
}

/* Keys of threads: each gets the lowest that is free. */
EXPORT int pthread_key_create(pthread_key_t *key, void (*at_end)(void *)) {
  CHANGES_STATE(KEYS);
  if (weave_me) weave_access(key, sizeof *key, 1, CALLER);
  return REAL(pthread_key_create)(key, at_end);
}
EXPORT int tss_create(tss_t *key, tss_dtor_t at_end) {
  CHANGES_STATE(KEYS);
  if (weave_me) weave_access(key, sizeof *key, 1, CALLER);
  return REAL(tss_create)(key, at_end);
}
/* What a thread keeps under a key is its own, and its handlers'. */
static void keeps(unsigned key, uint32_t write, uint64_t pc) {
  weave_state(STATE_KEYS, HOW_READ, pc);
  if (!weave_handles || !weave_reported(pc)) return;
  uint64_t mine = KEPT + (uint64_t)(weave_me - weave_shared->slot) * 65536;
  weave_access((void *)(mine + key % 8192 * 8), 8, write, pc);
}
TELLS(void *, pthread_getspecific, (pthread_key_t key), (key), keeps(key, 0, CALLER))
TELLS(int, pthread_setspecific, (pthread_key_t key, const void *value), (key, value), keeps(key, 1, CALLER))
TELLS(void *, tss_get, (tss_t key), (key), keeps(key, 0, CALLER))
TELLS(int, tss_set, (tss_t key, void *value), (key, value), keeps(key, 1, CALLER))
/* Whether a thread that ends meanwhile still calls the destructor is not modelled. */
static void deletes_key(uint64_t pc) {
  weave_state(STATE_KEYS, HOW_UPDATE, pc);
  if (weave_me && weave_has_threads()) weave_text(OP_UNCONTROLLED, "a key of threads that is deleted while others exist", 0, pc);
}
EXPORT int pthread_key_delete(pthread_key_t key) {
  deletes_key(CALLER);
  return REAL(pthread_key_delete)(key);
}
EXPORT void tss_delete(tss_t key) {
  deletes_key(CALLER);
  REAL(tss_delete)(key);
}

/* What processes see of each other: groups and sessions, how they are scheduled. */
EXPORT pid_t getpgrp(void) {
  COMMON_READ(GROUPS);
  return REAL(getpgrp)();
}
EXPORT pid_t getpgid(pid_t pid) {
  NAMES_PROCESS(GROUPS, HOW_READ, pid, 0);
  return REAL(getpgid)(pid);
}
EXPORT pid_t getsid(pid_t pid) {
  NAMES_PROCESS(GROUPS, HOW_READ, pid, 0);
  return REAL(getsid)(pid);
}
EXPORT int setpgid(pid_t pid, pid_t group) {
  NAMES_PROCESS(GROUPS, HOW_UPDATE, pid, group && group != (pid ? pid : getpid()));
  return REAL(setpgid)(pid, group);
}
EXPORT pid_t setsid(void) {
  COMMON_CHANGE(GROUPS);
  return REAL(setsid)();
}
/* Runs are scheduled in a way of their own, so that what is asked for is what was there before.
   Who sets it while others may look: not modelled. */
static int scheduled;
static void schedules(pid_t pid, uint64_t pc) {
  scheduled = 1;
  names_process(COMMON_SCHEDULING, HOW_UPDATE, pid, 0, pc);
  if (weave_me && weave_shared->several && !weave_is_own(pc)) weave_text(OP_UNCONTROLLED, "how threads are scheduled is set while others exist", 0, pc);
}
static int as_usual(int policy) { return policy == SCHED_BATCH && !scheduled ? SCHED_OTHER : policy; }
EXPORT int sched_getscheduler(pid_t pid) {
  NAMES_PROCESS(SCHEDULING, HOW_READ, pid, 0);
  return as_usual(REAL(sched_getscheduler)(pid));
}
TELLS(int, sched_setscheduler, (pid_t pid, int policy, const struct sched_param *how), (pid, policy, how), IN(how), schedules(pid, CALLER))
TELLS(int, sched_getparam, (pid_t pid, struct sched_param *how), (pid, how), OUT(how), NAMES_PROCESS(SCHEDULING, HOW_READ, pid, 0))
TELLS(int, sched_setparam, (pid_t pid, const struct sched_param *how), (pid, how), IN(how), schedules(pid, CALLER))
TELLS(int, sched_getaffinity, (pid_t pid, size_t size, cpu_set_t *set), (pid, size, set), WRITES(set, size), NAMES_PROCESS(SCHEDULING, HOW_READ, pid, 0))
TELLS(int, sched_setaffinity, (pid_t pid, size_t size, const cpu_set_t *set), (pid, size, set), READS(set, size), schedules(pid, CALLER))
TELLS(int, pthread_getaffinity_np, (pthread_t thread, size_t size, cpu_set_t *set), (thread, size, set), WRITES(set, size), COMMON_READ(SCHEDULING))
TELLS(int, pthread_setaffinity_np, (pthread_t thread, size_t size, const cpu_set_t *set), (thread, size, set), READS(set, size), schedules(0, CALLER))
TELLS_BEHIND(int, pthread_getschedparam, (pthread_t thread, int *policy, struct sched_param *how), (thread, policy, how),
             (OUT(policy), OUT(how), COMMON_READ(SCHEDULING)), if (!done) *policy = as_usual(*policy))
TELLS(int, pthread_setschedparam, (pthread_t thread, int policy, const struct sched_param *how), (thread, policy, how), IN(how), schedules(0, CALLER))
TELLS(int, pthread_setschedprio, (pthread_t thread, int to), (thread, to), schedules(0, CALLER))
TELLS(int, pthread_getconcurrency, (void), (), READS_STATE(PRIORITY))
TELLS(int, pthread_setconcurrency, (int level), (level), CHANGES_STATE(PRIORITY))

/* What a folder that is open gives next: libc keeps a part of the list, and what it gave last
   lies in that. */
#define FOLDER USES_OBJECT(folder), CHANGES_STATE(DIRECTORIES)
static struct {
  DIR *folder;
  struct dirent *gave;
} gave[32];
/* What was given before may be overwritten. */
static struct dirent *gives(DIR *folder, struct dirent *next, uint64_t pc) {
  int at = -1, most = sizeof gave / sizeof *gave;
  for (int i = 0; i < most; i++)
    if (gave[i].folder == folder || (!gave[i].folder && at < 0)) at = i;
  if (at >= 0 && gave[at].folder == folder) weave_writes(gave[at].gave, offsetof(struct dirent, d_name) + 1, pc);
  if (next) weave_writes(next, next->d_reclen, pc);
  if (at >= 0 && next) gave[at].folder = folder, gave[at].gave = next;
  else if (at < 0 && weave_reported(pc)) weave_text(OP_UNCONTROLLED, "more than 32 open folders", 0, pc);
  return next;
}
static void closes_folder(DIR *folder, uint64_t pc) {
  for (unsigned i = 0; i < sizeof gave / sizeof *gave; i++)
    if (gave[i].folder == folder) gave[i].folder = 0;
  if (weave_reported(pc)) weave_free_block(folder, 16, pc);
}
EXPORT struct dirent *readdir(DIR *folder) {
  FOLDER;
  return gives(folder, REAL(readdir)(folder), CALLER);
}
EXPORT struct dirent64 *readdir64(DIR *folder) {
  FOLDER;
  return (struct dirent64 *)gives(folder, (struct dirent *)REAL(readdir64)(folder), CALLER);
}
TELLS(void, rewinddir, (DIR * folder), (folder), FOLDER)
TELLS(void, seekdir, (DIR * folder, long to), (folder, to), FOLDER)
TELLS(long, telldir, (DIR * folder), (folder), USES_OBJECT(folder), READS_STATE(DIRECTORIES))
TELLS(int, closedir, (DIR * folder), (folder), closes_folder(folder, CALLER), CHANGES_STATE(DIRECTORIES))

/* Names of threads. */
EXPORT int pthread_setname_np(pthread_t thread, const char *name) {
  CHANGES_STATE(NAMES);
  TEXT(name);
  return REAL(pthread_setname_np)(thread, name);
}
EXPORT int pthread_getname_np(pthread_t thread, char *to, size_t size) {
  READS_STATE(NAMES);
  weave_access(to, size < 16 ? size : 16, 1, CALLER);
  return REAL(pthread_getname_np)(thread, to, size);
}
