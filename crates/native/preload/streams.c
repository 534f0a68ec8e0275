/* Streams of stdio on files. What is in a buffer of libc is on its way to the file, or from it: whoever prints writes, whoever scans
 * reads and moves the position, whether libc makes a system call or not. What it calls meanwhile is part of that. */
#define __NO_INLINE__ 1
#include "content.h"
#include "formats.h"
#include <stdarg.h>
#include <stdio.h>
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

/* The lock of a stream: recursive. It is an operation once any stream was locked by the program itself. */
#define LOCK_OF(stream) ((uint64_t)(stream) + 1)
enum { RECURSIVE = 1 };
static int locks(void) { return weave_me && weave_shared->several && !inside && weave_state_is_visible(STATE_STREAM_LOCKS); }
static uint64_t number_of(FILE *stream) { return STATE_STREAM | (((uint64_t)stream * 0x9e3779b97f4a7c15ull) >> 45 & 0x7ffff); }

/* A stream on a file is its file; another one, a pipe or memory, has an order of its own. */
static int uses(FILE *stream, long call, uint64_t pc) {
  if (!weave_me || !stream || inside) return inside++, 0;
  struct stat about;
  int locked = locks(), fd = fileno(stream);
  if (locked) weave_ask(OP_MUTEX_LOCK, LOCK_OF(stream), RECURSIVE, 0, 0, pc);
  int printed = (stream == stdout || stream == stderr) && !weave_redirected; /* what goes nowhere */
  if (!printed && (fd < 0 || !weave_file_of(fd, &about))) weave_state(number_of(stream), HOW_UPDATE, pc);
  if (fd >= 0) weave_before_file_call(call, (long[6]){fd}, pc);
  inside++;
  return locked;
}
static void used(FILE *stream, int locked, uint64_t pc) {
  inside--;
  if (locked) weave_ask(OP_MUTEX_UNLOCK, LOCK_OF(stream), RECURSIVE, 0, 0, pc);
}
/* Of standard output that goes nowhere: only its lock matters. */
static int waits(FILE *stream, uint64_t pc) {
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
  return USES(int, f, SYS_write, LISTED(text, REAL(__vfprintf_chk)(f, flag, text, list)));
}
EXPORT int __vfprintf_chk(FILE *f, int flag, const char *text, va_list list) {
  return USES(int, f, SYS_write, REAL(__vfprintf_chk)(f, flag, text, list));
}
EXPORT int fputs(const char *text, FILE *f) {
  weave_read_string(text, CALLER);
  return USES(int, f, SYS_write, REAL(fputs)(text, f));
}
EXPORT int fputs_unlocked(const char *text, FILE *f) { return USES(int, f, SYS_write, REAL(fputs_unlocked)(text, f)); }
EXPORT int fputc(int c, FILE *f) { return USES(int, f, SYS_write, REAL(fputc)(c, f)); }
EXPORT int fputc_unlocked(int c, FILE *f) { return USES(int, f, SYS_write, REAL(fputc_unlocked)(c, f)); }
#undef putc
EXPORT int putc(int c, FILE *f) { return USES(int, f, SYS_write, REAL(putc)(c, f)); }
#undef putc_unlocked
EXPORT int putc_unlocked(int c, FILE *f) { return USES(int, f, SYS_write, REAL(putc_unlocked)(c, f)); }
EXPORT int _IO_putc(int c, FILE *f) { return USES(int, f, SYS_write, REAL(putc)(c, f)); }
EXPORT int __overflow(FILE *f, int c) { return USES(int, f, SYS_write, REAL(__overflow)(f, c)); }
EXPORT size_t fwrite(const void *from, size_t size, size_t n, FILE *f) {
  ACCESSES(from, size * n, 0);
  return USES(size_t, f, SYS_write, REAL(fwrite)(from, size, n, f));
}
EXPORT size_t fwrite_unlocked(const void *from, size_t size, size_t n, FILE *f) {
  return USES(size_t, f, SYS_write, REAL(fwrite_unlocked)(from, size, n, f));
}
EXPORT wint_t fputwc(wchar_t c, FILE *f) { return USES(wint_t, f, SYS_write, REAL(fputwc)(c, f)); }
EXPORT int fputws(const wchar_t *text, FILE *f) { return USES(int, f, SYS_write, REAL(fputws)(text, f)); }
EXPORT int vfwprintf(FILE *f, const wchar_t *text, va_list list) { return USES(int, f, SYS_write, REAL(vfwprintf)(f, text, list)); }
EXPORT int fwprintf(FILE *f, const wchar_t *text, ...) { return USES(int, f, SYS_write, LISTED(text, REAL(vfwprintf)(f, text, list))); }

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
EXPORT int __printf_chk(int flag, const char *text, ...) { return LISTED(text, PRINTS(REAL(__vprintf_chk)(flag, text, list))); }
EXPORT int __vprintf_chk(int flag, const char *text, va_list list) { return PRINTS(REAL(__vprintf_chk)(flag, text, list)); }
EXPORT int puts(const char *text) {
  weave_read_string(text, CALLER);
  return PRINTS(REAL(puts)(text));
}
#undef putchar
EXPORT int putchar(int c) { return PRINTS(REAL(putchar)(c)); }

/* Scanning. */
#undef getchar
EXPORT int getchar(void) { return USES(int, stdin, SYS_read, REAL(getchar)()); }
EXPORT int __isoc99_scanf(const char *text, ...) { return USES(int, stdin, SYS_read, LISTED(text, SCANNED(text, list, REAL(__isoc99_vscanf)(text, list)))); }
EXPORT int __isoc23_scanf(const char *text, ...) { return USES(int, stdin, SYS_read, LISTED(text, SCANNED(text, list, REAL(__isoc99_vscanf)(text, list)))); }
EXPORT FILE *freopen(const char *path, const char *mode, FILE *f) {
  weave_redirected = 1;
  return REAL(freopen)(path, mode, f);
}
EXPORT size_t fread(void *to, size_t size, size_t n, FILE *f) {
  ACCESSES(to, size * n, 1);
  return USES(size_t, f, SYS_read, REAL(fread)(to, size, n, f));
}
EXPORT size_t fread_unlocked(void *to, size_t size, size_t n, FILE *f) { return USES(size_t, f, SYS_read, REAL(fread_unlocked)(to, size, n, f)); }
EXPORT size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *f) {
  return USES(size_t, f, SYS_read, REAL(__fread_chk)(to, room, size, n, f));
}
EXPORT char *fgets(char *to, int size, FILE *f) {
  char *volatile buffer = to; /* it may be filled with nothing yet */
  if (size > 0) ACCESSES(buffer, (size_t)size, 1);
  return USES(char *, f, SYS_read, REAL(fgets)(to, size, f));
}
EXPORT char *fgets_unlocked(char *to, int size, FILE *f) { return USES(char *, f, SYS_read, REAL(fgets_unlocked)(to, size, f)); }
EXPORT char *__fgets_chk(char *to, size_t room, int size, FILE *f) { return USES(char *, f, SYS_read, REAL(__fgets_chk)(to, room, size, f)); }
EXPORT int fgetc(FILE *f) { return USES(int, f, SYS_read, REAL(fgetc)(f)); }
EXPORT int fgetc_unlocked(FILE *f) { return USES(int, f, SYS_read, REAL(fgetc_unlocked)(f)); }
#undef getc
EXPORT int getc(FILE *f) { return USES(int, f, SYS_read, REAL(getc)(f)); }
#undef getc_unlocked
EXPORT int getc_unlocked(FILE *f) { return USES(int, f, SYS_read, REAL(getc_unlocked)(f)); }
EXPORT int _IO_getc(FILE *f) { return USES(int, f, SYS_read, REAL(getc)(f)); }
EXPORT int __uflow(FILE *f) { return USES(int, f, SYS_read, REAL(__uflow)(f)); }
EXPORT int ungetc(int c, FILE *f) { return USES(int, f, SYS_read, REAL(ungetc)(c, f)); }
EXPORT ssize_t getline(char **to, size_t *size, FILE *f) {
  ACCESSES(to, sizeof *to, 1);
  ACCESSES(size, sizeof *size, 1);
  return USES(ssize_t, f, SYS_read, REAL(getline)(to, size, f));
}
#define DELIMITED(name)                                                             \
  EXPORT ssize_t name(char **to, size_t *size, int end, FILE *f) {                  \
    ACCESSES(to, sizeof *to, 1);                                                    \
    ACCESSES(size, sizeof *size, 1);                                                \
    return USES(ssize_t, f, SYS_read, REAL(getdelim)(to, size, end, f));            \
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
EXPORT wchar_t *fgetws(wchar_t *to, int size, FILE *f) { return USES(wchar_t *, f, SYS_read, REAL(fgetws)(to, size, f)); }

/* Locks. */
EXPORT void flockfile(FILE *f) {
  if (!weave_me) return;
  weave_state(STATE_STREAM_LOCKS, HOW_READ, CALLER);
  weave_ask(OP_MUTEX_LOCK, LOCK_OF(f), RECURSIVE, 0, 0, CALLER);
}
EXPORT int ftrylockfile(FILE *f) {
  if (!weave_me) return 0;
  weave_state(STATE_STREAM_LOCKS, HOW_READ, CALLER);
  return weave_ask(OP_MUTEX_TRYLOCK, LOCK_OF(f), RECURSIVE, 0, 0, CALLER) ? -1 : 0;
}
EXPORT void funlockfile(FILE *f) {
  if (weave_me) weave_ask(OP_MUTEX_UNLOCK, LOCK_OF(f), RECURSIVE, 0, 0, CALLER);
}

/* Marks and buffers. */
#undef feof
#undef ferror
#undef clearerr
EXPORT int feof(FILE *f) { return USES(int, f, SYS_read, REAL(feof)(f)); }
EXPORT int feof_unlocked(FILE *f) { return USES(int, f, SYS_read, REAL(feof)(f)); }
EXPORT int ferror(FILE *f) { return USES(int, f, SEEKS, REAL(ferror)(f)); }
EXPORT int ferror_unlocked(FILE *f) { return USES(int, f, SEEKS, REAL(ferror)(f)); }
EXPORT void clearerr(FILE *f) { (void)USES(int, f, SEEKS, (REAL(clearerr)(f), 0)); }
EXPORT int setvbuf(FILE *f, char *buffer, int mode, size_t size) { return USES(int, f, SEEKS, REAL(setvbuf)(f, buffer, mode, size)); }
EXPORT void setbuf(FILE *f, char *buffer) { (void)USES(int, f, SEEKS, (REAL(setbuf)(f, buffer), 0)); }
EXPORT int fflush(FILE *f) {
  struct stat about;
  if (!weave_me || inside || !f || ((f == stdout || f == stderr) && !weave_redirected)) return REAL(fflush)(f);
  if (fileno(f) < 0 || !weave_file_of(fileno(f), &about)) weave_state(number_of(f), HOW_UPDATE, CALLER);
  return REAL(fflush)(f);
}

/* The position. What is flushed is written by a call of libc. */
EXPORT int fclose(FILE *f) {
  if (weave_me && f && !inside && fileno(f) >= 0) weave_before_file_call(SEEKS, (long[6]){fileno(f)}, CALLER);
  return REAL(fclose)(f);
}
EXPORT int fseek(FILE *f, long at, int whence) { return USES(int, f, SYS_read, REAL(fseek)(f, at, whence)); }
EXPORT int fseeko(FILE *f, off_t at, int whence) { return USES(int, f, SYS_read, REAL(fseeko)(f, at, whence)); }
EXPORT int fseeko64(FILE *f, off_t at, int whence) { return USES(int, f, SYS_read, REAL(fseeko)(f, at, whence)); }
EXPORT long ftell(FILE *f) { return USES(long, f, SYS_read, REAL(ftell)(f)); }
EXPORT off_t ftello(FILE *f) { return USES(off_t, f, SYS_read, REAL(ftello)(f)); }
EXPORT off_t ftello64(FILE *f) { return USES(off_t, f, SYS_read, REAL(ftello)(f)); }
EXPORT int fgetpos(FILE *f, fpos_t *to) { return USES(int, f, SYS_read, REAL(fgetpos)(f, to)); }
EXPORT int fsetpos(FILE *f, const fpos_t *at) { return USES(int, f, SYS_read, REAL(fsetpos)(f, at)); }
EXPORT void rewind(FILE *f) { (void)USES(int, f, SEEKS, (REAL(rewind)(f), 0)); }
