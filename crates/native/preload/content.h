/* What the parts that know files and folders share. */
#ifndef WEAVE_CONTENT_H
#define WEAVE_CONTENT_H
#include "files.h"
#include <sys/stat.h>

#define PATH 1024 /* longer ones are not followed */

/* What a call touches. */
#define TOUCHES 64
struct weave_touches {
  unsigned count;
  uint64_t way; /* the names that lead to what it means */
  uint64_t stream; /* if it is done by one: which, and what is done to that */
  uint32_t how;
  struct weave_touch all[TOUCHES];
};
void weave_touch(struct weave_touches *t, uint64_t part, uint64_t name, uint32_t how);
void weave_touch_range(struct weave_touches *t, uint64_t name, uint64_t start, uint64_t length, uint32_t how);

/* Something that the process keeps (enum weave_state). */
void weave_touch_state(struct weave_touches *t, uint64_t which, uint32_t how);

/* The name of a path; its text is kept. */
uint64_t weave_name_of(const char *path);
/* The path of a descriptor; 0 if it has none. */
int weave_path_of(int fd, char *path);
/* Follows a path from a folder, link by link: the canonical path of what is meant, which need
 * not exist. Every name on the way is read. 0 if it is too long, or cannot be followed. */
int weave_walk(struct weave_touches *t, int folder, const char *path, int follow, char *to);
/* The folder that something is in. */
void weave_parent(const char *path, char *to);

/* How a file is mapped into memory: shared and written, private, shared and only read; and by
   which name shared memory is known. */
enum { MAPPED_WRITTEN = 1, MAPPED_PRIVATE = 2, MAPPED_READ = 4, MAPPED_BY_NAME = 8, MAPPED_BY_PATH = 16 };

/* The entry of a file in the table of this run; 0 if it is no file whose content carries
   anything. */
struct weave_inode *weave_file_of(int fd, struct stat *about);
struct weave_inode *weave_file_at(const char *path, struct stat *about);
/* A file without a name, in a folder: it gets one that is the same in all runs. */
void weave_made_unnamed(int fd, const char *folder);
/* A file was made at this path. */
void weave_made(int fd, const char *path);
/* Whether the next run finds what is on this device. */
int weave_outlives(uint64_t device);
void weave_find_private(void);
/* Of kernel and devices: no program writes there for others. */
int weave_is_special(const char *path);

/* The same as weave_before_file_call, of a function that uses a stream on a descriptor, or on
   none: all of it is one operation. */
void weave_before_stream_call(long number, int fd, uint64_t stream, uint32_t how, uint64_t pc);

/* Which descriptors it touches, besides. Whether the number that it will be given is another
   than at the last look (numbers.c). */
void weave_collect_numbers(struct weave_touches *t, long number, const long *arguments);
/* The file behind a name of shm_open is cut off: unknown if it is mapped. */
void weave_truncates(const char *name);
/* What a system call touches; false if it has nothing to do with files. */
int weave_collect(struct weave_touches *t, long number, const long *arguments);
#endif
