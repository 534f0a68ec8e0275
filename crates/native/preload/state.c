/* What the C library or the kernel keeps for a whole process, and functions that read or change it: each such thing is one object. */
#include "files.h"
#include <dirent.h>
#include <grp.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define READS_STATE(which) weave_state(STATE_##which, HOW_READ, CALLER)
#define CHANGES_STATE(which) weave_state(STATE_##which, HOW_UPDATE, CALLER)

/* Numbers at random. */
#define DRAWS(type, name, which)  \
  EXPORT type name(void) {        \
    CHANGES_STATE(which);         \
    return REAL(name)();          \
  }
DRAWS(int, rand, RANDOM)
DRAWS(long, random, RANDOM)
DRAWS(double, drand48, RANDOM48)
DRAWS(long, lrand48, RANDOM48)
DRAWS(long, mrand48, RANDOM48)
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
  REAL(srand48)(seed);
}

/* The environment. */
EXPORT char *getenv(const char *name) {
  READS_STATE(ENVIRONMENT);
  return REAL(getenv)(name);
}
EXPORT char *secure_getenv(const char *name) {
  READS_STATE(ENVIRONMENT);
  return REAL(secure_getenv)(name);
}
EXPORT int setenv(const char *name, const char *value, int replace) {
  CHANGES_STATE(ENVIRONMENT);
  weave_read_string(name, CALLER);
  weave_read_string(value, CALLER);
  return REAL(setenv)(name, value, replace);
}
EXPORT int unsetenv(const char *name) {
  CHANGES_STATE(ENVIRONMENT);
  weave_read_string(name, CALLER);
  return REAL(unsetenv)(name);
}
EXPORT int putenv(char *text) {
  CHANGES_STATE(ENVIRONMENT);
  return REAL(putenv)(text);
}
EXPORT int clearenv(void) {
  CHANGES_STATE(ENVIRONMENT);
  return REAL(clearenv)();
}

/* Rights, limits, priorities. */
EXPORT mode_t umask(mode_t mask) {
  CHANGES_STATE(UMASK);
  return REAL(umask)(mask);
}
EXPORT int getrlimit(__rlimit_resource_t what, struct rlimit *to) {
  READS_STATE(LIMITS);
  weave_access(to, sizeof *to, 1, CALLER);
  return REAL(getrlimit)(what, to);
}
EXPORT int setrlimit(__rlimit_resource_t what, const struct rlimit *from) {
  CHANGES_STATE(LIMITS);
  weave_access(from, sizeof *from, 0, CALLER);
  return REAL(setrlimit)(what, from);
}
EXPORT int getpriority(__priority_which_t which, id_t who) {
  READS_STATE(PRIORITY);
  return REAL(getpriority)(which, who);
}
EXPORT int setpriority(__priority_which_t which, id_t who, int to) {
  CHANGES_STATE(PRIORITY);
  return REAL(setpriority)(which, who, to);
}
EXPORT int nice(int more) {
  CHANGES_STATE(PRIORITY);
  return REAL(nice)(more);
}

/* Answers that lie in a place of the library, which is written. */
static void *answer(void *at, size_t size, uint64_t pc) {
  if (at && weave_me && !weave_is_own(pc)) weave_access(at, size, 1, pc);
  return at;
}
EXPORT struct tm *localtime(const time_t *from) {
  CHANGES_STATE(CALENDAR);
  weave_access(from, sizeof *from, 0, CALLER);
  return answer(REAL(localtime)(from), sizeof(struct tm), CALLER);
}
EXPORT struct tm *gmtime(const time_t *from) {
  CHANGES_STATE(CALENDAR);
  weave_access(from, sizeof *from, 0, CALLER);
  return answer(REAL(gmtime)(from), sizeof(struct tm), CALLER);
}
EXPORT char *ctime(const time_t *from) {
  CHANGES_STATE(CALENDAR);
  weave_access(from, sizeof *from, 0, CALLER);
  return answer(REAL(ctime)(from), 26, CALLER);
}
EXPORT char *asctime(const struct tm *from) {
  CHANGES_STATE(CALENDAR);
  weave_access(from, sizeof *from, 0, CALLER);
  return answer(REAL(asctime)(from), 26, CALLER);
}
EXPORT void tzset(void) {
  CHANGES_STATE(CALENDAR);
  REAL(tzset)();
}
EXPORT char *setlocale(int category, const char *locale) {
  weave_state(STATE_LOCALE, locale ? HOW_UPDATE : HOW_READ, CALLER);
  return REAL(setlocale)(category, locale);
}
EXPORT struct lconv *localeconv(void) {
  CHANGES_STATE(LOCALE);
  return REAL(localeconv)();
}
EXPORT char *strerror(int error) {
  CHANGES_STATE(ERRORS);
  return REAL(strerror)(error);
}
EXPORT char *strsignal(int signal) {
  CHANGES_STATE(ERRORS);
  return REAL(strsignal)(signal);
}
EXPORT int getopt(int count, char *const *words, const char *known) {
  CHANGES_STATE(OPTIONS);
  return REAL(getopt)(count, words, known);
}
EXPORT struct passwd *getpwnam(const char *name) {
  CHANGES_STATE(USERS);
  return REAL(getpwnam)(name);
}
EXPORT struct passwd *getpwuid(uid_t id) {
  CHANGES_STATE(USERS);
  return REAL(getpwuid)(id);
}
EXPORT struct group *getgrnam(const char *name) {
  CHANGES_STATE(USERS);
  return REAL(getgrnam)(name);
}
EXPORT struct group *getgrgid(gid_t id) {
  CHANGES_STATE(USERS);
  return REAL(getgrgid)(id);
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
/* Whether a thread that ends meanwhile still calls the destructor is not modelled. */
static void deletes_key(uint64_t pc) {
  weave_state(STATE_KEYS, HOW_UPDATE, pc);
  if (weave_me && weave_shared->several) weave_text(OP_UNCONTROLLED, "a key of threads that is deleted while others exist", 0, pc);
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
#define COMMON_READ(which) weave_common(COMMON_##which, HOW_READ, CALLER)
#define COMMON_CHANGE(which) weave_common(COMMON_##which, HOW_UPDATE, CALLER)
EXPORT pid_t getpgrp(void) {
  COMMON_READ(GROUPS);
  return REAL(getpgrp)();
}
EXPORT pid_t getpgid(pid_t pid) {
  COMMON_READ(GROUPS);
  return REAL(getpgid)(pid);
}
EXPORT pid_t getsid(pid_t pid) {
  COMMON_READ(GROUPS);
  return REAL(getsid)(pid);
}
EXPORT int setpgid(pid_t pid, pid_t group) {
  COMMON_CHANGE(GROUPS);
  return REAL(setpgid)(pid, group);
}
EXPORT pid_t setsid(void) {
  COMMON_CHANGE(GROUPS);
  return REAL(setsid)();
}
EXPORT int sched_getscheduler(pid_t pid) {
  COMMON_READ(SCHEDULING);
  return REAL(sched_getscheduler)(pid);
}
EXPORT int sched_setscheduler(pid_t pid, int policy, const struct sched_param *how) {
  COMMON_CHANGE(SCHEDULING);
  if (weave_me) weave_access(how, sizeof *how, 0, CALLER);
  return REAL(sched_setscheduler)(pid, policy, how);
}
EXPORT int sched_getparam(pid_t pid, struct sched_param *how) {
  COMMON_READ(SCHEDULING);
  if (weave_me) weave_access(how, sizeof *how, 1, CALLER);
  return REAL(sched_getparam)(pid, how);
}
EXPORT int sched_setparam(pid_t pid, const struct sched_param *how) {
  COMMON_CHANGE(SCHEDULING);
  if (weave_me) weave_access(how, sizeof *how, 0, CALLER);
  return REAL(sched_setparam)(pid, how);
}
EXPORT int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
  COMMON_READ(SCHEDULING);
  if (weave_me) weave_access(set, size, 1, CALLER);
  return REAL(sched_getaffinity)(pid, size, set);
}
EXPORT int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set) {
  COMMON_CHANGE(SCHEDULING);
  if (weave_me) weave_access(set, size, 0, CALLER);
  return REAL(sched_setaffinity)(pid, size, set);
}
EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  COMMON_READ(SCHEDULING);
  if (weave_me) weave_access(set, size, 1, CALLER);
  return REAL(pthread_getaffinity_np)(thread, size, set);
}
EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
  COMMON_CHANGE(SCHEDULING);
  if (weave_me) weave_access(set, size, 0, CALLER);
  return REAL(pthread_setaffinity_np)(thread, size, set);
}
EXPORT int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *how) {
  COMMON_READ(SCHEDULING);
  if (weave_me) weave_access(policy, sizeof *policy, 1, CALLER), weave_access(how, sizeof *how, 1, CALLER);
  return REAL(pthread_getschedparam)(thread, policy, how);
}
EXPORT int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *how) {
  COMMON_CHANGE(SCHEDULING);
  if (weave_me) weave_access(how, sizeof *how, 0, CALLER);
  return REAL(pthread_setschedparam)(thread, policy, how);
}
EXPORT int pthread_setschedprio(pthread_t thread, int to) {
  COMMON_CHANGE(SCHEDULING);
  return REAL(pthread_setschedprio)(thread, to);
}
EXPORT int pthread_getconcurrency(void) {
  COMMON_READ(SCHEDULING);
  return REAL(pthread_getconcurrency)();
}
EXPORT int pthread_setconcurrency(int level) {
  COMMON_CHANGE(SCHEDULING);
  return REAL(pthread_setconcurrency)(level);
}

/* What a folder that is open gives next: libc keeps a part of the list. */
EXPORT struct dirent *readdir(DIR *folder) {
  CHANGES_STATE(DIRECTORIES);
  return REAL(readdir)(folder);
}
EXPORT struct dirent64 *readdir64(DIR *folder) {
  CHANGES_STATE(DIRECTORIES);
  return REAL(readdir64)(folder);
}
EXPORT void rewinddir(DIR *folder) {
  CHANGES_STATE(DIRECTORIES);
  REAL(rewinddir)(folder);
}
EXPORT void seekdir(DIR *folder, long to) {
  CHANGES_STATE(DIRECTORIES);
  REAL(seekdir)(folder, to);
}
EXPORT long telldir(DIR *folder) {
  READS_STATE(DIRECTORIES);
  return REAL(telldir)(folder);
}
EXPORT int closedir(DIR *folder) {
  CHANGES_STATE(DIRECTORIES);
  return REAL(closedir)(folder);
}

/* Names of threads. */
EXPORT int pthread_setname_np(pthread_t thread, const char *name) {
  CHANGES_STATE(NAMES);
  return REAL(pthread_setname_np)(thread, name);
}
EXPORT int pthread_getname_np(pthread_t thread, char *to, size_t size) {
  READS_STATE(NAMES);
  weave_access(to, size < 16 ? size : 16, 1, CALLER);
  return REAL(pthread_getname_np)(thread, to, size);
}
