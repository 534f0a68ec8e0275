/* Functions of the runtime of C++ that access what the program's code does not: links of lists
 * and trees, texts that are hashed or printed. Code that is expanded from headers is
 * instrumented, and these are what is left. They are looked up when they are called: few
 * programs have them.
 *
 * Who changes a container writes its header, in the eyes of others: no other thread may look at
 * it meanwhile. */
#include "accesses.h"
#include <string.h>

#define BEHIND(name, type, ...)                                                         \
  ({                                                                                    \
    static type (*real_)(__VA_ARGS__);                                                  \
    if (!real_) real_ = (type(*)(__VA_ARGS__))weave_real_lookup()(RTLD_NEXT, name);     \
    real_;                                                                              \
  })

/* Trees. */
struct node {
  int colour;
  struct node *parent, *left, *right;
};
static const struct node *looks(const struct node *n, uint64_t pc) {
  weave_reads(n, sizeof *n, pc);
  return n;
}
static void goes(const struct node *n, int left, uint64_t pc) {
  looks(n, pc);
  const struct node *below = left ? n->left : n->right;
  if (below)
    for (; below; below = left ? below->right : below->left) looks(below, pc);
  else
    for (const struct node *up = looks(n->parent, pc); n == (left ? up->left : up->right); up = looks(up->parent, pc)) n = up;
}
/* A node and all above it. */
static void changes(const struct node *n, const struct node *header, uint64_t pc) {
  weave_writes(header, sizeof *header, pc);
  for (; n && n != header; n = n->parent) weave_writes(n, sizeof *n, pc);
}
#define STEPS(name, left)                                       \
  struct node *name(struct node *n);                            \
  EXPORT struct node *name(struct node *n) {                    \
    if (weave_reported(CALLER)) goes(n, left, CALLER);              \
    return BEHIND(#name, struct node *, struct node *)(n);      \
  }
STEPS(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, 0)
STEPS(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, 0)
STEPS(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, 1)
STEPS(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, 1)
#define INSERTS _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_
#define ERASES _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_
#define TEXT_OF_(name) #name
#define TEXT_OF(name) TEXT_OF_(name)
void INSERTS(_Bool left, struct node *new, struct node *parent, struct node *header);
EXPORT void INSERTS(_Bool left, struct node *new, struct node *parent, struct node *header) {
  weave_writes(new, sizeof *new, CALLER);
  if (weave_reported(CALLER)) changes(parent, header, CALLER);
  BEHIND(TEXT_OF(INSERTS), void, _Bool, struct node *, struct node *, struct node *)(left, new, parent, header);
}
struct node *ERASES(struct node *old, struct node *header);
EXPORT struct node *ERASES(struct node *old, struct node *header) {
  if (weave_reported(CALLER)) {
    changes(old, header, CALLER);
    OUT(old->left);
    OUT(old->right);
  }
  return BEHIND(TEXT_OF(ERASES), struct node *, struct node *, struct node *)(old, header);
}

/* Lists. */
struct link {
  struct link *next, *previous;
};
static void around(const struct link *l, uint64_t pc) {
  weave_writes(l, sizeof *l, pc);
  if (!weave_reported(pc)) return;
  weave_writes(l->next, sizeof *l, pc);
  weave_writes(l->previous, sizeof *l, pc);
}
#define LIST(name) _ZNSt8__detail15_List_node_base##name
#define LINKS(name, parameters, arguments, types, ...)           \
  void LIST(name) parameters;                                    \
  EXPORT void LIST(name) parameters {                            \
    __VA_ARGS__;                                                 \
    BEHIND(TEXT_OF(LIST(name)), void, EACH types) arguments;     \
  }
#define EACH(...) __VA_ARGS__
LINKS(7_M_hookEPS0_, (struct link * l, struct link *at), (l, at), (struct link *, struct link *), OUT(l), around(at, CALLER))
LINKS(9_M_unhookEv, (struct link * l), (l), (struct link *), around(l, CALLER))
LINKS(11_M_transferEPS0_S1_, (struct link * l, struct link *first, struct link *last), (l, first, last), (struct link *, struct link *, struct link *),
      around(l, CALLER), around(first, CALLER), around(last, CALLER))
LINKS(4swapERS0_S1_, (struct link * l, struct link *other), (l, other), (struct link *, struct link *), around(l, CALLER), around(other, CALLER))
static void all(const struct link *l, uint64_t pc) {
  const struct link *now = l;
  if (weave_reported(pc)) do weave_writes(now, sizeof *now, pc), now = now->next;
    while (now != l);
}
LINKS(10_M_reverseEv, (struct link * l), (l), (struct link *), all(l, CALLER))

/* Texts. */
size_t _ZSt11_Hash_bytesPKvmm(const void *at, size_t size, size_t seed);
EXPORT size_t _ZSt11_Hash_bytesPKvmm(const void *at, size_t size, size_t seed) {
  READS(at, size);
  return BEHIND("_ZSt11_Hash_bytesPKvmm", size_t, const void *, size_t, size_t)(at, size, seed);
}
/* How a stream of C++ shows what is given to it, and whether it does. Its virtual base says: first
   the format, the width and the state (ios_base), then which stream is flushed before, the character
   that fills and the buffer (basic_ios). That showing sets the width to 0 counts as a read: streams
   that are in step with those of C may be used by several threads at once. */
enum { FORMAT = 64, IOS_BASE = 216, BASIC_IOS = 264 };
static void looks_at(const void *stream, uint64_t pc) {
  if (!weave_reported(pc)) return;
  const char *base = (const char *)stream + (*(long *const *)stream)[-3];
  weave_reads(base, FORMAT, pc);
  weave_reads(base + IOS_BASE, BASIC_IOS - IOS_BASE, pc);
}
#define SHOWS(name, type)                                     \
  void *name(void *stream, type value);                         \
  EXPORT void *name(void *stream, type value) {                 \
    looks_at(stream, CALLER);                                   \
    return BEHIND(#name, void *, void *, type)(stream, value);  \
  }
SHOWS(_ZNSolsEb, _Bool)
SHOWS(_ZNSolsEs, short)
SHOWS(_ZNSolsEt, unsigned short)
SHOWS(_ZNSolsEi, int)
SHOWS(_ZNSolsEj, unsigned)
SHOWS(_ZNSolsEl, long)
SHOWS(_ZNSolsEm, unsigned long)
SHOWS(_ZNSolsEx, long long)
SHOWS(_ZNSolsEy, unsigned long long)
SHOWS(_ZNSolsEf, float)
SHOWS(_ZNSolsEd, double)
SHOWS(_ZNSolsEe, long double)
SHOWS(_ZNSolsEPKv, const void *)
/* What these become where a compiler puts them in place. */
SHOWS(_ZNSo9_M_insertIbEERSoT_, _Bool)
SHOWS(_ZNSo9_M_insertIlEERSoT_, long)
SHOWS(_ZNSo9_M_insertImEERSoT_, unsigned long)
SHOWS(_ZNSo9_M_insertIxEERSoT_, long long)
SHOWS(_ZNSo9_M_insertIyEERSoT_, unsigned long long)
SHOWS(_ZNSo9_M_insertIdEERSoT_, double)
SHOWS(_ZNSo9_M_insertIeEERSoT_, long double)
SHOWS(_ZNSo9_M_insertIPKvEERSoT_, const void *)
/* Characters. */
SHOWS(_ZNSo3putEc, char)
SHOWS(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c, char)
SHOWS(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a, signed char)
SHOWS(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h, unsigned char)
/* Nothing but the stream. */
#define FLUSHES(name)                       \
  void *name(void *stream);                        \
  EXPORT void *name(void *stream) {                \
    looks_at(stream, CALLER);                      \
    return BEHIND(#name, void *, void *)(stream);  \
  }
FLUSHES(_ZNSo5flushEv)
FLUSHES(_ZNSolsEDn)
FLUSHES(_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)
/* Texts. */
#define SHOWS_TEXT(name, type)                                \
  void *name(void *stream, const type *text);                   \
  EXPORT void *name(void *stream, const type *text) {           \
    looks_at(stream, CALLER);                                   \
    TEXT((const char *)text);                                   \
    return BEHIND(#name, void *, void *, const type *)(stream, text); \
  }
SHOWS_TEXT(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc, char)
SHOWS_TEXT(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKa, signed char)
SHOWS_TEXT(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKh, unsigned char)
#define SHOWS_SOME(name)                                                            \
  void *name(void *stream, const char *text, long size);                              \
  EXPORT void *name(void *stream, const char *text, long size) {                      \
    looks_at(stream, CALLER);                                                         \
    READS(text, (uint64_t)size);                                                      \
    return BEHIND(#name, void *, void *, const char *, long)(stream, text, size);     \
  }
SHOWS_SOME(_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l)
SHOWS_SOME(_ZNSo5writeEPKcl)
/* A string begins with where its text is and how long that is. */
struct string {
  const char *text;
  uint64_t length;
};
#define SHOWS_STRING _ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE
void *SHOWS_STRING(void *stream, const struct string *string);
EXPORT void *SHOWS_STRING(void *stream, const struct string *string) {
  looks_at(stream, CALLER);
  IN(string);
  READS(string->text, string->length);
  return BEHIND(TEXT_OF(SHOWS_STRING), void *, void *, const struct string *)(stream, string);
}

/* Parts of a text that libstdc++ does not inline. Each reads where the characters are and how many,
   and changes them from a place on. */
#define STRING(name) _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE##name
static void changes_text(const struct string *string, size_t from, uint64_t pc) {
  weave_writes(string, sizeof *string, pc);
  if (string->length >= from) weave_writes((const char *)string->text + from, string->length + 1 - from, pc);
}
#define DISPOSES STRING(10_M_disposeEv)
void DISPOSES(struct string *string);
EXPORT void DISPOSES(struct string *string) {
  IN(string);
  BEHIND(TEXT_OF(DISPOSES), void, struct string *)(string);
}
#define REPLACES STRING(10_M_replaceEmmPKcm)
void *REPLACES(struct string *string, size_t at, size_t old, const char *text, size_t new);
EXPORT void *REPLACES(struct string *string, size_t at, size_t old, const char *text, size_t new) {
  IN(string);
  READS(string->text, string->length);
  READS(text, new);
  void *done = BEHIND(TEXT_OF(REPLACES), void *, struct string *, size_t, size_t, const char *, size_t)(string, at, old, text, new);
  changes_text(string, at, CALLER);
  return done;
}
#define APPENDS STRING(9_M_appendEPKcm)
void *APPENDS(struct string *string, const char *text, size_t new);
EXPORT void *APPENDS(struct string *string, const char *text, size_t new) {
  IN(string);
  READS(string->text, string->length);
  READS(text, new);
  size_t before = string->length;
  void *done = BEHIND(TEXT_OF(APPENDS), void *, struct string *, const char *, size_t)(string, text, new);
  changes_text(string, before, CALLER);
  return done;
}
#define CREATES STRING(9_M_createERmm)
void *CREATES(struct string *string, size_t *capacity, size_t old);
EXPORT void *CREATES(struct string *string, size_t *capacity, size_t old) {
  IN(capacity);
  OUT(capacity);
  return BEHIND(TEXT_OF(CREATES), void *, struct string *, size_t *, size_t)(string, capacity, old);
}

/* Threads of C++: a thread object is a number, which these look at and change. */
#define THREAD(name)                               \
  void name(void *thread);                         \
  EXPORT void name(void *thread) {                 \
    weave_reads(thread, sizeof(long), CALLER);     \
    BEHIND(#name, void, void *)(thread);           \
    weave_writes(thread, sizeof(long), CALLER);    \
  }
THREAD(_ZNSt6thread4joinEv)
THREAD(_ZNSt6thread6detachEv)
#define STARTS _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE
void STARTS(void *thread, void *state, void (*depends)(void));
EXPORT void STARTS(void *thread, void *state, void (*depends)(void)) {
  weave_writes(thread, sizeof(long), CALLER);
  weave_writes(state, sizeof(void *), CALLER);
  BEHIND(TEXT_OF(STARTS), void, void *, void *, void (*)(void))(thread, state, depends);
}

/* A pointer to an exception. */
#define POINTER(name)                              \
  void name(void *pointer);                        \
  EXPORT void name(void *pointer) {                \
    weave_reads(pointer, sizeof(void *), CALLER);  \
    BEHIND(#name, void, void *)(pointer);          \
  }
POINTER(_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv)
POINTER(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv)
/* Its constructors are one function under two names. */
#define POINTS(name)                                        \
  void name(void *pointer, void *exception);                \
  EXPORT void name(void *pointer, void *exception) {        \
    weave_writes(pointer, sizeof(void *), CALLER);          \
    BEHIND(#name, void, void *, void *)(pointer, exception); \
  }
POINTS(_ZNSt15__exception_ptr13exception_ptrC1EPv)
POINTS(_ZNSt15__exception_ptr13exception_ptrC2EPv)
