/* Streams of stdio on files. What is in a buffer of libc is on its way to the file, or from it:
 * to print is to write, to scan is to read and move the position, whether libc makes a system
 * call or not. What it calls meanwhile is part of that. */
#define __NO_INLINE__ 1
#include "accesses.h"
#include "content.h"
#include "formats.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/syscall.h>
#include <wchar.h>

static __thread unsigned inside __attribute__((tls_model("initial-exec")));
int weave_is_in_stream(void) { return inside; }
unsigned weave_leave_streams(void) {
  unsigned before = inside;
  inside = 0;
  return before;
}
void weave_enter_streams(unsigned depth) { inside = depth; }

/* The lock of a stream: recursive. It is an operation once any stream was locked by the program
   itself. */
#define LOCK_OF(stream) ((uint64_t)(stream) + 1)
enum { RECURSIVE = 1 };
static int locks(void) { return weave_me && weave_shared->several && !inside && weave_state_is_visible(STATE_STREAM_LOCKS); }
static uint64_t number_of(FILE *stream) { return STATE_STREAM | (((uint64_t)stream * 0x9e3779b97f4a7c15ull) >> 45 & 0x7ffff); }

/* What is printed is seen by nothing of the program. */
static int goes_nowhere(FILE *stream) { return (stream == stdout || stream == stderr) && !weave_redirected; }
void weave_redirects(uint64_t pc) {
  weave_redirected = 1;
  if (weave_me && weave_has_threads()) weave_text(OP_UNCONTROLLED, "a standard stream that becomes another while other threads exist", 0, pc);
}

/* Memory of the program that streams use: a buffer, the content of one, or where to say what it
   is. */
static struct lent {
  FILE *stream;
  char *buffer;
  size_t size;
  char **start;
  size_t *length;
} lent[64];
static unsigned lendings; /* how many of them may be in use */
static void lend(FILE *stream, struct lent how, uint64_t pc) {
  unsigned i = 0;
  while (i < lendings && lent[i].stream && lent[i].stream != stream) i++;
  if (i == sizeof lent / sizeof *lent) return weave_text(OP_UNCONTROLLED, "more than 64 streams with memory of the program", 0, pc);
  if (i == lendings) lendings++;
  how.stream = stream;
  lent[i] = how;
}
static int is_lent(FILE *stream) {
  for (unsigned i = 0; i < lendings; i++)
    if (lent[i].stream == stream) return 1;
  return 0;
}
static void lends(FILE *stream, int write, uint64_t pc) {
  for (unsigned i = 0; i < lendings; i++)
    if (lent[i].stream && (!stream || lent[i].stream == stream) && lent[i].buffer) {
      if (write) weave_writes(lent[i].buffer, lent[i].size, pc);
      else weave_reads(lent[i].buffer, lent[i].size, pc);
    }
}
/* Behind a flush. */
static void says(FILE *stream, int over, uint64_t pc) {
  for (unsigned i = 0; i < lendings; i++)
    if (lent[i].stream && (!stream || lent[i].stream == stream)) {
      weave_writes(lent[i].start, sizeof(char *), pc);
      weave_writes(lent[i].length, sizeof(size_t), pc);
      if (lent[i].start && *lent[i].start) weave_writes(*lent[i].start, *lent[i].length + 1, pc);
      if (over) lent[i].stream = 0;
    }
}

/* A stream on a file is its file, and both that and others have an order of their own: what libc
 * keeps of it. Who prints to a file learns nothing of that, so that logs which nothing reads
 * need no order; who flushes it does. */
static int uses_so(FILE *stream, long call, uint32_t way, uint64_t pc) {
  if (!weave_me || !stream || inside) return inside++, 0;
  weave_optional_point(pc);
  weave_unsafe(UNSAFE_STREAM, pc);
  weave_reads(stream, 1, pc); /* it is in use: see accesses.h */
  struct stat about;
  int fd = fileno(stream);
  /* Who reads or writes a channel may wait, and keep the others waiting. Who uses memory of the
   * program keeps it from others. */
  int locked = locks() || (weave_shared->several && (weave_models(fd) || is_lent(stream)));
  if (locked) weave_ask(OP_MUTEX_LOCK, LOCK_OF(stream), RECURSIVE, 0, 0, pc);
  int is_file = fd >= 0 && weave_file_of(fd, &about);
  if (call == SYS_write && !goes_nowhere(stream)) weave_exit_matters();
  if (!way) way = is_file && call == SYS_write ? HOW_CHANGE : HOW_UPDATE;
  weave_before_stream_call(call, fd, goes_nowhere(stream) ? 0 : number_of(stream), way, pc);
  lends(stream, call != SYS_read, pc);
  inside++;
  return locked;
}
static int uses(FILE *stream, long call, uint64_t pc) { return uses_so(stream, call, 0, pc); }
static void used(FILE *stream, int locked, uint64_t pc) {
  inside--;
  if (locked) weave_ask(OP_MUTEX_UNLOCK, LOCK_OF(stream), RECURSIVE, 0, 0, pc);
}
/* Of standard output that goes nowhere: only its lock matters. */
static int waits(FILE *stream, uint64_t pc) {
  weave_optional_point(pc);
  weave_reads(&stdout, sizeof stdout, pc);
  weave_unsafe(UNSAFE_STREAM, pc);
  int locked = locks();
  if (locked) weave_ask(OP_MUTEX_LOCK, LOCK_OF(stream), RECURSIVE, 0, 0, pc);
  inside++;
  return locked;
}
#define USES(type, stream, call, real)  \
  ({                                    \
    int locked_ = uses(stream, call, CALLER); \
    type done_ = real;                  \
    used(stream, locked_, CALLER);      \
    done_;                              \
  })
/* Without the lock of the stream, which this thread may have taken itself: that writes the stream,
 * where those with the lock read it. */
enum { MOST_HELD = 8 };
static __thread FILE *held[MOST_HELD] __attribute__((tls_model("initial-exec")));
static __thread unsigned holdings __attribute__((tls_model("initial-exec")));
static void holds(FILE *stream, uint64_t pc) {
  if (holdings < MOST_HELD) held[holdings++] = stream;
  else weave_text(OP_UNCONTROLLED, "more than 8 locks of streams at once", 0, pc);
}
static void lets_go(FILE *stream) {
  for (unsigned i = holdings; i-- > 0;)
    if (held[i] == stream) {
      held[i] = held[--holdings];
      return;
    }
}
static int is_held(FILE *stream) {
  for (unsigned i = 0; i < holdings; i++)
    if (held[i] == stream) return 1;
  return 0;
}
static void unlocked(FILE *stream, uint64_t pc) {
  if (!is_held(stream)) weave_writes(stream, 1, pc);
}
static void looks_unlocked(FILE *stream, uint64_t pc) {
  if (weave_reported(pc) && weave_has_threads() && !is_held(stream)) weave_text(OP_UNCONTROLLED, "a mark of a stream is read without its lock", 0, pc);
}
#define UNLOCKED(type, stream, call, real) (unlocked(stream, CALLER), USES(type, stream, call, real))
#define SEEKS SYS_lseek
/* The program's memory, which they access on its behalf. */
#define ACCESSES(at, size, write) ((weave_me && weave_shared->instrumented) ? weave_access(at, size, write, CALLER) : (void)0)

int __overflow(FILE *, int);
int __uflow(FILE *);
int __fprintf_chk(FILE *, int, const char *, ...);
int __vfprintf_chk(FILE *, int, const char *, va_list);
char *__fgets_chk(char *, size_t, int, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
ssize_t __getdelim(char **, size_t *, int, FILE *);
int __isoc99_vfscanf(FILE *, const char *, va_list);
int _IO_putc(int, FILE *);
int _IO_getc(FILE *);
#define SCANNED(text, list, call)                       \
  ({                                                    \
    int scanned_ = call;                                \
    weave_see_scanned(text, list, scanned_, CALLER);    \
    scanned_;                                           \
  })

/* The arguments are looked at first. */
#define SHOWN(text, list, call) (weave_see_printed(text, list, CALLER), (call))
#define LISTED(last, call)    \
  ({                          \
    va_list list;             \
    va_start(list, last);     \
    int n_ = call;            \
    va_end(list);             \
    n_;                       \
  })

/* Printing. */
EXPORT int fprintf(FILE *f, const char *text, ...) { return USES(int, f, SYS_write, LISTED(text, SHOWN(text, list, REAL(vfprintf)(f, text, list)))); }
EXPORT int vfprintf(FILE *f, const char *text, va_list list) { return USES(int, f, SYS_write, SHOWN(text, list, REAL(vfprintf)(f, text, list))); }
EXPORT int __fprintf_chk(FILE *f, int flag, const char *text, ...) {
  return USES(int, f, SYS_write, LISTED(text, SHOWN(text, list, REAL(__vfprintf_chk)(f, flag, text, list))));
}
EXPORT int __vfprintf_chk(FILE *f, int flag, const char *text, va_list list) {
  return USES(int, f, SYS_write, SHOWN(text, list, REAL(__vfprintf_chk)(f, flag, text, list)));
}
EXPORT int fputs(const char *text, FILE *f) {
  weave_read_string(text, CALLER);
  return USES(int, f, SYS_write, REAL(fputs)(text, f));
}
EXPORT int fputs_unlocked(const char *text, FILE *f) { return TEXT(text), UNLOCKED(int, f, SYS_write, REAL(fputs_unlocked)(text, f)); }
EXPORT int fputc(int c, FILE *f) { return USES(int, f, SYS_write, REAL(fputc)(c, f)); }
EXPORT int fputc_unlocked(int c, FILE *f) { return UNLOCKED(int, f, SYS_write, REAL(fputc_unlocked)(c, f)); }
#undef putc
EXPORT int putc(int c, FILE *f) { return USES(int, f, SYS_write, REAL(putc)(c, f)); }
#undef putc_unlocked
EXPORT int putc_unlocked(int c, FILE *f) { return UNLOCKED(int, f, SYS_write, REAL(putc_unlocked)(c, f)); }
EXPORT int _IO_putc(int c, FILE *f) { return USES(int, f, SYS_write, REAL(putc)(c, f)); }
EXPORT int __overflow(FILE *f, int c) { return USES(int, f, SYS_write, REAL(__overflow)(f, c)); }
EXPORT size_t fwrite(const void *from, size_t size, size_t n, FILE *f) {
  ACCESSES(from, size * n, 0);
  return USES(size_t, f, SYS_write, REAL(fwrite)(from, size, n, f));
}
EXPORT size_t fwrite_unlocked(const void *from, size_t size, size_t n, FILE *f) {
  READS(from, size * n);
  return UNLOCKED(size_t, f, SYS_write, REAL(fwrite_unlocked)(from, size, n, f));
}
EXPORT wint_t fputwc(wchar_t c, FILE *f) { return USES(wint_t, f, SYS_write, REAL(fputwc)(c, f)); }
EXPORT int fputws(const wchar_t *text, FILE *f) { return READS(text, (wcslen(text) + 1) * sizeof *text), USES(int, f, SYS_write, REAL(fputws)(text, f)); }
/* What the directives of wide formats point to is not followed. */
#define WIDE(f) (weave_reported(CALLER) && weave_shared->several ? weave_text(OP_UNCONTROLLED, "a format of wide characters", 0, CALLER) : (void)0)
EXPORT int vfwprintf(FILE *f, const wchar_t *text, va_list list) { return WIDE(f), USES(int, f, SYS_write, REAL(vfwprintf)(f, text, list)); }
EXPORT int fwprintf(FILE *f, const wchar_t *text, ...) { return WIDE(f), USES(int, f, SYS_write, LISTED(text, REAL(vfwprintf)(f, text, list))); }

/* What is printed goes nowhere, unless to a file. */
int __printf_chk(int, const char *, ...);
int __vprintf_chk(int, const char *, va_list);
int __isoc99_vscanf(const char *, va_list);
#define PRINTS(real)                                                                           \
  ({                                                                                           \
    int locked_ = weave_redirected ? uses(stdout, SYS_write, CALLER) : waits(stdout, CALLER);  \
    int done_ = real;                                                                          \
    used(stdout, locked_, CALLER);                                                             \
    done_;                                                                                     \
  })
EXPORT int printf(const char *text, ...) { return LISTED(text, PRINTS(SHOWN(text, list, REAL(vprintf)(text, list)))); }
EXPORT int vprintf(const char *text, va_list list) { return PRINTS(SHOWN(text, list, REAL(vprintf)(text, list))); }
EXPORT int __printf_chk(int flag, const char *text, ...) { return LISTED(text, PRINTS(SHOWN(text, list, REAL(__vprintf_chk)(flag, text, list)))); }
EXPORT int __vprintf_chk(int flag, const char *text, va_list list) { return PRINTS(SHOWN(text, list, REAL(__vprintf_chk)(flag, text, list))); }
EXPORT int puts(const char *text) {
  weave_read_string(text, CALLER);
  return PRINTS(REAL(puts)(text));
}
#undef putchar
EXPORT int putchar(int c) { return PRINTS(REAL(putchar)(c)); }

/* Scanning. */
#define STANDARD_INPUT(type, real) (weave_reads(&stdin, sizeof stdin, CALLER), USES(type, stdin, SYS_read, real))
#undef getchar
EXPORT int getchar(void) { return STANDARD_INPUT(int, REAL(getchar)()); }
EXPORT int __isoc99_scanf(const char *text, ...) { return STANDARD_INPUT(int, LISTED(text, SCANNED(text, list, REAL(__isoc99_vscanf)(text, list)))); }
EXPORT int __isoc23_scanf(const char *text, ...) { return STANDARD_INPUT(int, LISTED(text, SCANNED(text, list, REAL(__isoc99_vscanf)(text, list)))); }
EXPORT FILE *freopen(const char *path, const char *mode, FILE *f) {
  TEXT(path);
  TEXT(mode);
  if (f == stdin || f == stdout || f == stderr) weave_redirects(CALLER);
  USES_OBJECT(f);
  if (weave_me && !inside) weave_before_stream_call(SEEKS, fileno(f), number_of(f), HOW_UPDATE, CALLER);
  return weave_opened_stream(REAL(freopen)(path, mode, f), CALLER);
}
EXPORT FILE *fdopen(int fd, const char *mode) {
  TEXT(mode);
  weave_use_number(SYS_fcntl, fd, CALLER);
  return weave_opened_stream(REAL(fdopen)(fd, mode), CALLER);
}
FILE *tmpfile64(void);
TELLS_BEHIND(FILE *, tmpfile, (void), (), (void)0, weave_opened_stream(done, CALLER))
TELLS_BEHIND(FILE *, tmpfile64, (void), (), (void)0, weave_opened_stream(done, CALLER))
EXPORT FILE *fmemopen(void *buffer, size_t size, const char *mode) {
  TEXT(mode);
  if (mode[0] == 'w') WRITES(buffer, size ? 1 : 0);
  else READS(buffer, size);
  FILE *made = REAL(fmemopen)(buffer, size, mode);
  weave_opened_stream(made, CALLER);
  if (made && buffer && weave_me) lend(made, (struct lent){.buffer = buffer, .size = size}, CALLER);
  return made;
}
EXPORT FILE *open_memstream(char **start, size_t *length) {
  OUT(start);
  OUT(length);
  FILE *made = REAL(open_memstream)(start, length);
  weave_opened_stream(made, CALLER);
  if (made && weave_me) lend(made, (struct lent){.start = start, .length = length}, CALLER);
  return made;
}
EXPORT size_t fread(void *to, size_t size, size_t n, FILE *f) {
  ACCESSES(to, size * n, 1);
  return USES(size_t, f, SYS_read, REAL(fread)(to, size, n, f));
}
EXPORT size_t fread_unlocked(void *to, size_t size, size_t n, FILE *f) { return WRITES(to, size * n), UNLOCKED(size_t, f, SYS_read, REAL(fread_unlocked)(to, size, n, f)); }
EXPORT size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *f) {
  WRITES(to, size * n);
  return USES(size_t, f, SYS_read, REAL(__fread_chk)(to, room, size, n, f));
}
EXPORT char *fgets(char *to, int size, FILE *f) {
  char *volatile buffer = to; /* it may be filled with nothing yet */
  if (size > 0) ACCESSES(buffer, (size_t)size, 1);
  return USES(char *, f, SYS_read, REAL(fgets)(to, size, f));
}
EXPORT char *fgets_unlocked(char *to, int size, FILE *f) { return WRITES(to, size > 0 ? (size_t)size : 0), UNLOCKED(char *, f, SYS_read, REAL(fgets_unlocked)(to, size, f)); }
EXPORT char *__fgets_chk(char *to, size_t room, int size, FILE *f) { return WRITES(to, size > 0 ? (size_t)size : 0), USES(char *, f, SYS_read, REAL(__fgets_chk)(to, room, size, f)); }
EXPORT int fgetc(FILE *f) { return USES(int, f, SYS_read, REAL(fgetc)(f)); }
EXPORT int fgetc_unlocked(FILE *f) { return UNLOCKED(int, f, SYS_read, REAL(fgetc_unlocked)(f)); }
#undef getc
EXPORT int getc(FILE *f) { return USES(int, f, SYS_read, REAL(getc)(f)); }
#undef getc_unlocked
EXPORT int getc_unlocked(FILE *f) { return UNLOCKED(int, f, SYS_read, REAL(getc_unlocked)(f)); }
EXPORT int _IO_getc(FILE *f) { return USES(int, f, SYS_read, REAL(getc)(f)); }
EXPORT int __uflow(FILE *f) { return USES(int, f, SYS_read, REAL(__uflow)(f)); }
EXPORT int ungetc(int c, FILE *f) { return USES(int, f, SYS_read, REAL(ungetc)(c, f)); }
EXPORT ssize_t getline(char **to, size_t *size, FILE *f) {
  ACCESSES(to, sizeof *to, 1);
  ACCESSES(size, sizeof *size, 1);
  ssize_t done = USES(ssize_t, f, SYS_read, REAL(getline)(to, size, f));
  if (done > 0) WRITES(*to, (size_t)done + 1);
  return done;
}
#define DELIMITED(name)                                                             \
  EXPORT ssize_t name(char **to, size_t *size, int end, FILE *f) {                  \
    ACCESSES(to, sizeof *to, 1);                                                    \
    ACCESSES(size, sizeof *size, 1);                                                \
    ssize_t done = USES(ssize_t, f, SYS_read, REAL(getdelim)(to, size, end, f));    \
    if (done > 0) WRITES(*to, (size_t)done + 1);                                    \
    return done;                                                                    \
  }
DELIMITED(getdelim)
DELIMITED(__getdelim)
EXPORT int __isoc99_vfscanf(FILE *f, const char *text, va_list list) { return USES(int, f, SYS_read, SCANNED(text, list, REAL(__isoc99_vfscanf)(f, text, list))); }
EXPORT int __isoc99_fscanf(FILE *f, const char *text, ...) {
  return USES(int, f, SYS_read, LISTED(text, SCANNED(text, list, REAL(__isoc99_vfscanf)(f, text, list))));
}
/* Of newer C libraries; binary digits apart, the same. */
EXPORT int __isoc23_fscanf(FILE *f, const char *text, ...) {
  return USES(int, f, SYS_read, LISTED(text, SCANNED(text, list, REAL(__isoc99_vfscanf)(f, text, list))));
}
EXPORT wint_t fgetwc(FILE *f) { return USES(wint_t, f, SYS_read, REAL(fgetwc)(f)); }
EXPORT wchar_t *fgetws(wchar_t *to, int size, FILE *f) { return WRITES(to, size > 0 ? (size_t)size * sizeof *to : 0), USES(wchar_t *, f, SYS_read, REAL(fgetws)(to, size, f)); }

/* Locks. */
EXPORT void flockfile(FILE *f) {
  if (!weave_me) return;
  USES_OBJECT(f);
  weave_state(STATE_STREAM_LOCKS, HOW_READ, CALLER);
  weave_ask(OP_MUTEX_LOCK, LOCK_OF(f), RECURSIVE, 0, 0, CALLER);
  holds(f, CALLER);
}
EXPORT int ftrylockfile(FILE *f) {
  if (!weave_me) return 0;
  USES_OBJECT(f);
  weave_state(STATE_STREAM_LOCKS, HOW_READ, CALLER);
  if (weave_ask(OP_MUTEX_TRYLOCK, LOCK_OF(f), RECURSIVE, 0, 0, CALLER)) return -1;
  holds(f, CALLER);
  return 0;
}
EXPORT void funlockfile(FILE *f) {
  if (!weave_me) return;
  USES_OBJECT(f);
  lets_go(f);
  weave_ask(OP_MUTEX_UNLOCK, LOCK_OF(f), RECURSIVE, 0, 0, CALLER);
}

/* Marks and buffers. */
TELLS(int, fileno, (FILE * f), (f), USES_OBJECT(f))
TELLS(int, fileno_unlocked, (FILE * f), (f), USES_OBJECT(f))
#undef feof
#undef ferror
#undef clearerr
EXPORT int feof(FILE *f) { return USES(int, f, SYS_read, REAL(feof)(f)); }
EXPORT int feof_unlocked(FILE *f) { return looks_unlocked(f, CALLER), USES(int, f, SYS_read, REAL(feof)(f)); }
EXPORT int ferror(FILE *f) { return USES(int, f, SEEKS, REAL(ferror)(f)); }
EXPORT int ferror_unlocked(FILE *f) { return looks_unlocked(f, CALLER), USES(int, f, SEEKS, REAL(ferror)(f)); }
EXPORT void clearerr(FILE *f) { (void)USES(int, f, SEEKS, (REAL(clearerr)(f), 0)); }
static void lend_buffer(FILE *f, char *buffer, size_t size, uint64_t pc) {
  if (!weave_me || !buffer) return;
  if (goes_nowhere(f)) weave_redirects(pc); /* what is printed is seen in the buffer */
  lend(f, (struct lent){.buffer = buffer, .size = size}, pc);
}
EXPORT int setvbuf(FILE *f, char *buffer, int mode, size_t size) {
  if (mode != _IONBF) lend_buffer(f, buffer, size, CALLER);
  return USES(int, f, SEEKS, REAL(setvbuf)(f, buffer, mode, size));
}
EXPORT void setbuf(FILE *f, char *buffer) {
  lend_buffer(f, buffer, BUFSIZ, CALLER);
  (void)USES(int, f, SEEKS, (REAL(setbuf)(f, buffer), 0));
}
/* What is in a buffer gets to where others may see it, at once. If nothing else lives, it makes
   no difference who wrote first. */
static int flushes(FILE *f, uint64_t pc) {
  int locked = uses_so(f, SYS_write, weave_shared->several ? HOW_UPDATE : HOW_CHANGE, pc);
  int error = REAL(fflush)(f);
  used(f, locked, pc);
  says(f, 0, pc);
  return error;
}
/* Those that are open. */
static FILE *opened[256];
FILE *weave_opened_stream(FILE *f, uint64_t pc) {
  weave_identity(IDENTITY_BLOCK, ACC_GIVEN, pc);
  if (!f || !weave_me) return f;
  size_t i = 0, most = sizeof opened / sizeof *opened;
  while (i < most && opened[i] && opened[i] != f) i++;
  if (i < most) opened[i] = f;
  else weave_text(OP_UNCONTROLLED, "more than 256 streams", 0, pc);
  return f;
}
static void closed(const FILE *f) {
  for (size_t i = 0; i < sizeof opened / sizeof *opened; i++)
    if (opened[i] == f) opened[i] = 0;
}
void weave_flushes_all(uint64_t pc) {
  if (!weave_me || inside || !weave_shared->several) return;
  weave_state(STATE_STREAMS, HOW_UPDATE, pc);
  for (size_t i = 0; i < sizeof opened / sizeof *opened; i++)
    if (opened[i] && !goes_nowhere(opened[i])) flushes(opened[i], pc);
}
EXPORT int fflush(FILE *f) {
  if (!weave_me || inside || (f && goes_nowhere(f))) return REAL(fflush)(f);
  if (f) return flushes(f, CALLER);
  weave_flushes_all(CALLER);
  return REAL(fflush)(0);
}

/* The position. What is flushed is written by a call of libc. */
EXPORT int fclose(FILE *f) {
  if (!weave_me || !f || inside) return REAL(fclose)(f);
  if (f == stdin || f == stdout || f == stderr) weave_redirects(CALLER);
  weave_free_block(f, sizeof(FILE), CALLER);
  weave_identity(IDENTITY_BLOCK, ACC_TAKEN, CALLER);
  weave_before_stream_call(SEEKS, fileno(f), number_of(f), HOW_CHANGE, CALLER);
  lends(f, 1, CALLER);
  closed(f);
  int error = REAL(fclose)(f);
  says(f, 1, CALLER);
  return error;
}
/* What is in a buffer is written out first. */
#define MOVES(type, stream, real)                                                            \
  ({                                                                                         \
    int writes_ = stream && __fwritable(stream);                                             \
    int locked_ = uses_so(stream, writes_ ? SYS_write : SYS_read, writes_ ? HOW_UPDATE : 0, CALLER); \
    type done_ = real;                                                                       \
    used(stream, locked_, CALLER);                                                           \
    done_;                                                                                   \
  })
EXPORT int fseek(FILE *f, long at, int whence) { return MOVES(int, f, REAL(fseek)(f, at, whence)); }
EXPORT int fseeko(FILE *f, off_t at, int whence) { return MOVES(int, f, REAL(fseeko)(f, at, whence)); }
EXPORT int fseeko64(FILE *f, off_t at, int whence) { return MOVES(int, f, REAL(fseeko)(f, at, whence)); }
EXPORT long ftell(FILE *f) { return USES(long, f, SYS_read, REAL(ftell)(f)); }
EXPORT off_t ftello(FILE *f) { return USES(off_t, f, SYS_read, REAL(ftello)(f)); }
EXPORT off_t ftello64(FILE *f) { return USES(off_t, f, SYS_read, REAL(ftello)(f)); }
EXPORT int fgetpos(FILE *f, fpos_t *to) { return OUT(to), USES(int, f, SYS_read, REAL(fgetpos)(f, to)); }
EXPORT int fsetpos(FILE *f, const fpos_t *at) { return IN(at), MOVES(int, f, REAL(fsetpos)(f, at)); }
EXPORT void rewind(FILE *f) { (void)MOVES(int, f, (REAL(rewind)(f), 0)); }
