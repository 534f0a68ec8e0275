/* What the parts that know descriptors share. */
#ifndef WEAVE_FILES_H
#define WEAVE_FILES_H
#include "runtime.h"
#include <sys/types.h>

/* Whether the scheduler models what a number of this process stands for. */
int weave_models(int fd);
/* Or knows it as a file that may be locked. */
int weave_knows(int fd);
/* A number that the scheduler has made a channel's. */
void weave_adopt(int fd, uint64_t pc);
/* Reading and writing what is modelled, as read, write, readv and writev do; flags as in
   files.c. */
struct iovec;
ssize_t weave_take(int fd, void *buffer, size_t size, int flags, uint64_t pc);
ssize_t weave_give(int fd, const void *buffer, size_t size, int flags, uint64_t pc);
ssize_t weave_gather(int fd, const struct iovec *parts, int count, int flags, uint64_t pc);
ssize_t weave_scatter(int fd, const struct iovec *parts, int count, int flags, uint64_t pc);
int weave_close(int fd, uint64_t pc);
int weave_new_file(int kind, int first, int second, int64_t flags, uint64_t pc);
int weave_slot_of(pid_t pid);
int64_t weave_thread_slot(unsigned long thread, const char *misuse, uint64_t pc);
/* Whether this process has other threads that were not joined. */
int weave_has_threads(void);
/* What a system call is to us; says that one is not controlled, unless it is harmless
   (backstop.c). */
enum weave_class {
  WEAVE_UNCONTROLLED = 0,
  WEAVE_HARMLESS = 1,
  WEAVE_LIBRARY = 2,
  WEAVE_MODELLED = 3,
  WEAVE_ENDS = 4,
};
int weave_class(long number);
void weave_is_uncontrolled(long number, int own, uint64_t pc);
/* A system call that did not come through a function of ours (direct.c): 1 if it was done. */
int weave_emulate(long number, const long *arguments, long *result, uint64_t pc);
/* The same for one that the program makes itself: with the memory that it accesses (raw.c). */
int weave_emulate_raw(long number, const long *arguments, long *result, uint64_t pc);
/* -1 and errno, or -2 if it is to be left to the kernel. */
ssize_t weave_futex(const long *arguments, uint64_t pc);
/* fcntl (files.c). */
int weave_control(int fd, int command, long argument, uint64_t pc);
/* Before memory becomes shared; mmap, munmap, mprotect and madvise (mappings.c). */
void weave_close_accesses(uint64_t pc);
/* The search says that it does not know them. */
void weave_huge_pages(uint64_t pc);
long weave_change_memory(long number, const long *arguments, uint64_t pc);
/* Shared memory behind a descriptor. */
void weave_name_region(int fd, uint64_t id);
void weave_forget_region(int fd);
void weave_copy_region(int old, int new);
/* Tells what a call on files touches, and waits for its turn if others could see that
 * (content.c). Whether it changes anything, if it does not fail; or all that matters of it is
 * elsewhere; or it is no such call. */
enum weave_file_call { NO_FILE_CALL = 0, CHANGES_FILES = 1, LOOKS_AT_FILES = 2, CALLS_ELSEWHERE = 3 };
int weave_before_file_call(long number, const long *arguments, uint64_t pc);
/* The same for a call on a descriptor that the scheduler models, or that makes or closes one: of
   the numbers alone. */
void weave_before_number_call(long number, const long *arguments, uint64_t pc);
/* A call that needs nothing of a descriptor but that it is open. */
void weave_use_number(long call, int fd, uint64_t pc);
/* The same for something that the C library or the kernel keeps for the process: a HOW_… */
enum weave_state {
  STATE_RANDOM = 1,
  STATE_RANDOM48,
  STATE_ENVIRONMENT,
  STATE_UMASK,
  STATE_LIMITS,
  STATE_PRIORITY,
  STATE_CALENDAR,
  STATE_LOCALE,
  STATE_TOKENS,
  STATE_NAMES,
  STATE_ERRORS,
  STATE_OPTIONS,
  STATE_SEGMENTS,
  STATE_STREAM_LOCKS = 14,
  STATE_USERS,
  STATE_FLAGS = 16,
  STATE_SIGNALS,
  STATE_KEYS,
  STATE_EXITS,
  STATE_DIRECTORIES,
  STATE_MAPPINGS,
  STATE_ZONE,
  STATE_PROCESS, /* what prctl sets */
  STATE_STREAMS, /* all of them: who flushes all */
  STATE_FORKS, /* handlers of fork, and of quick_exit */
  STATE_QUICK_EXITS,
  STATE_THREADS, /* whether they are detached, and can be named */
  STATE_STREAM = 1 << 20, /* and a number of its own, for each stream */
};
void weave_state(uint64_t which, uint32_t how, uint64_t pc);
/* Several at once, four at most. */
struct weave_kept_state {
  uint64_t which;
  uint32_t how;
};
void weave_states(const struct weave_kept_state *all, unsigned count, uint64_t pc);
/* The time zone is used. */
void weave_reads_zone(uint64_t pc);
/* The same for something that processes see of each other. */
enum weave_common { COMMON_DESCRIPTIONS = 1 << 19, COMMON_GROUPS, COMMON_SCHEDULING, COMMON_SEGMENTS };
void weave_common(uint64_t which, uint32_t how, uint64_t pc);
void weave_commons(const struct weave_kept_state *all, unsigned count, uint64_t pc);
/* Whether a slot's process can be named by its number, until it is waited for; LIM_SLOTS: whether
   any can. As in objects/process.rs. */
#define COMMON_BEING(slot) ((1u << 20) + (slot))
int weave_state_is_visible(uint64_t which);
/* Behind it. */
void weave_after_file_call(int kind, long result);
/* And makes the call. */
long weave_file_call(long number, const long *arguments, uint64_t pc);
/* Whether libc works on a stream, which has reported what it touches; a handler that runs meanwhile
   has not (streams.c). */
int weave_is_in_stream(void);
/* One that was opened: all of them are flushed at the end. */
struct _IO_FILE;
struct _IO_FILE *weave_opened_stream(struct _IO_FILE *stream, uint64_t pc);
/* All streams are flushed. */
void weave_flushes_all(uint64_t pc);
void weave_exit_matters(void);
/* Standard input or output may be a file; it becomes one. */
extern int weave_redirected;
void weave_redirects(uint64_t pc);
/* The parts of a vector: the vector itself is read, and this many bytes of the parts are read or
   written. */
struct iovec;
void weave_see_parts(const struct iovec *parts, int count, ssize_t done, int write, uint64_t pc);
unsigned weave_leave_streams(void);
void weave_enter_streams(unsigned depth);
/* As openat: a file that may be locked, or a FIFO. */
long weave_open(int folder, const char *path, int flags, mode_t mode, uint64_t pc);
int weave_is_lock(int command);
int weave_file_lock(int fd, int command, long argument, uint64_t pc);
/* Reads a file, and tells what of memory that writes. */
ssize_t weave_read_file(long call, int fd, void *buffer, size_t size, off_t from, uint64_t pc);
#endif
