/* What a controlled program and the scheduler say to each other, through shared memory.
 *
 * build.rs reads the lines `OP_…`, `RUN_…`, `LIM_…`, `FD_…`, `PART_…`, `HOW_…`, `ACC_…` and makes
 * Rust constants of them: this is the only table.
 */
#ifndef WEAVE_PROTOCOL_H
#define WEAVE_PROTOCOL_H
#include <stdint.h>

enum weave_limit {
  LIM_SLOTS = 1024, /* threads of one run, over all processes */
  LIM_NOTES = 2048, /* notices waiting for the next request */
  LIM_DATA = 65536, /* bytes of text, operations or messages in a request */
  LIM_STACK = 16,  /* return addresses */
  LIM_ACCESSES = 32768, /* plain accesses waiting for the next request */
  LIM_TAPE = 8192, /* requests of a run that can be foreseen */
  LIM_TAPE_DATA = 262144, /* their data, and that of the answers */
  LIM_RACING = 1024, /* a hash table of places in the code, at most half full */
  LIM_INODES = 1024, /* files of one run */
  LIM_PATHS = 1024, /* paths whose text is kept */
  LIM_PATH = 120, /* and so much of it */
};

enum weave_op {
  OP_NONE = 0,
  /* Life. */
  OP_START = 1,       /* a new thread, or the child of a fork, is there */
  OP_CREATE = 2,      /* a: 1 for a process; result: the slot of the child */
  OP_EXIT_THREAD = 3,
  OP_EXIT_PROCESS = 4, /* a: status */
  OP_JOIN = 5,        /* object: the thread's slot */
  OP_DETACH = 6,
  OP_WAIT = 7,        /* a: slot of the child or -1; b: WNOHANG; result: slot, -1 no child, -2 none yet */
  OP_UNBORN = 8,      /* object: slot of a child that could not be created */
  OP_CANCEL = 9,      /* object: slot */
  OP_TEST_CANCEL = 10, /* a: 1 if POSIX leaves open whether it acts here */
  OP_KILL = 11,       /* object: slot of the process, or of the thread if b is 1; a: signal, data: code, value; result: 0, 1 it dies, or an error */
  OP_MASK = 12,       /* a note: the thread blocks the signals in a */
  OP_SIGACTION = 13,  /* a: signal, b: 0 usual, 1 ignored, 2 handled; | flags << 2; or 3: only asked for; data: mask */
  OP_SIGMASK = 14,    /* a: what the thread blocks from now on */
  OP_RESUME = 15,     /* handlers have run: the answer to what they interrupted */
  /* Choice and failure. */
  OP_TOSS = 16,       /* a: n; result 0..n */
  OP_ASSERT = 17,     /* data: what fails */
  OP_CHECK = 18,      /* an assertion that is true */
  OP_CRASH = 19,      /* a: signal */
  OP_UNCONTROLLED = 20, /* data: what; a: 1 if the run ends there, or OTHERWISE */
  OP_ASSUME = 21,     /* data: what is relied upon */
  OP_DECLARE = 22,    /* a note: from now on this thread uses object in the ways a; number b of c; c is 0 if it uses none */
  OP_LAST = 23,       /* the thread is about to end: here handlers may still run */
  OP_MISUSE = 24,     /* data: what */
  OP_CIRCLE = 25,     /* the thread has come back to where it was and changed nothing; a: 1 if it slept on the way, b: how often it has changed something */
  OP_SUSPECT = 26,    /* a note: object: a place in the code where a thread may only wait */
  OP_CLOCK = 27,      /* a note: a clock is read */
  OP_SIGWAIT = 28,    /* a: the signals; b: 1 if timed, 2 without waiting; result: the signal, data: as of WEAVE_SIGNAL */
  OP_SUSPEND = 29,    /* a: what is blocked meanwhile */
  OP_SIGPENDING = 30, /* result: the signals */
  OP_PAUSE = 31,
  /* Mutexes. a: kind, flags */
  OP_MUTEX_INIT = 32,
  OP_MUTEX_DESTROY = 33,
  OP_MUTEX_LOCK = 34,
  OP_MUTEX_TRYLOCK = 35,
  OP_MUTEX_TIMEDLOCK = 36,
  OP_MUTEX_UNLOCK = 37,
  OP_MUTEX_CONSISTENT = 38,
  OP_SLEEP = 39,      /* result: 0, or an error */
  OP_TIMER = 40,      /* object: which of the process; a: signal, or 0 to stop it; b: 1 if it fires again and again, c: code; data: value */
  OP_TRYJOIN = 41,    /* object: the thread's slot */
  OP_PARENT = 42,     /* result: 1 if the process that made this one has ended */
  /* Condition variables. */
  OP_COND_INIT = 48,
  OP_COND_DESTROY = 49,
  OP_COND_WAIT = 50, /* a: the mutex, b: its kind */
  OP_COND_TIMEDWAIT = 51,
  OP_COND_SIGNAL = 52,
  OP_COND_BROADCAST = 53,
  /* POSIX semaphores. */
  OP_SEM_INIT = 64, /* a: value; b: 1 unless it has one */
  OP_SEM_DESTROY = 65,
  OP_SEM_WAIT = 66,
  OP_SEM_TRYWAIT = 67,
  OP_SEM_TIMEDWAIT = 68,
  OP_SEM_POST = 69,
  OP_SEM_GETVALUE = 70,
  OP_SEM_OPEN = 71, /* data: name; a: flags, b: value; result: number of the semaphore */
  OP_SEM_UNLINK = 72,
  /* Read-write locks. */
  OP_RW_INIT = 80,
  OP_RW_DESTROY = 81,
  OP_RW_READ = 82,
  OP_RW_WRITE = 83,
  OP_RW_TRYREAD = 84,
  OP_RW_TRYWRITE = 85,
  OP_RW_TIMEDREAD = 86,
  OP_RW_TIMEDWRITE = 87,
  OP_RW_UNLOCK = 88,
  /* Barriers, once. */
  OP_BARRIER_INIT = 96, /* a: count */
  OP_BARRIER_DESTROY = 97,
  OP_BARRIER_WAIT = 98,
  OP_ONCE = 99,
  OP_ONCE_DONE = 100, /* a: 1 if it was not */
  /* System V semaphores. object: number of the set */
  OP_SYSV_GET = 112, /* a: key, b: count, c: flags */
  OP_SYSV_OP = 113,  /* data: struct sembuf[a]; b: 1 if timed */
  OP_SYSV_SETVAL = 114, /* a: index, b: value */
  OP_SYSV_GETVAL = 115,
  OP_SYSV_REMOVE = 116,
  OP_SYSV_SETALL = 117, /* data: values */
  OP_SYSV_GETALL = 118,
  OP_SYSV_QUERY = 119, /* a: index, b: 0 GETPID, 1 GETNCNT, 2 GETZCNT; b: 3 how many */
  /* System V message queues. object: number of the queue */
  OP_MSG_GET = 120, /* a: key, c: flags */
  OP_MSG_SEND = 121, /* a: type, b: 1 without waiting; data: the text */
  OP_MSG_RECEIVE = 122, /* a: type, b: 1 without waiting, 2 cut, 4 except, room << 8; result: length, data: type, text */
  OP_MSG_CONTROL = 123, /* a: 0 remove, 1 how much, 2 set the limit b */
  /* Names. data: the name; a: flags as of open; result: an identity, or an error */
  OP_MQ_OPEN = 124, /* b: messages | length << 16 */
  OP_MQ_UNLINK = 125,
  OP_NAME = 126, /* object: family, b: 1 unlink */
  /* Memory. a: size; b: 0 if atomic, 1 a plain access that races, 3 free; of an update, 1 a
     comparison */
  OP_LOAD = 128,
  OP_STORE = 129,
  OP_UPDATE = 130,
  OP_ACCESS = 131, /* a note: plain access; a: size, b: 1 if a write */
  OP_SHARED = 132, /* a note: memory at object, of length a, is shared as b at offset c */
  OP_FUTEX_WAIT = 133, /* looks at the word at object, of length a */
  OP_FUTEX_WAKE = 134, /* a: how many */
  OP_FUTEX_SLEEP = 136, /* the word was as expected; b: 1 if timed */
  OP_SEGMENT = 135, /* a note: System V memory number object has key a */
  /* Descriptors. object: the number */
  OP_FD_NEW = 144, /* a: an FD_…, b: the second number, c: flags */
  OP_FD_DUP = 145, /* a: the new number */
  OP_FD_READ = 146, /* a: how many bytes, b: 1 without waiting, 2 without taking; result: how many, or an error */
  OP_FD_WRITE = 147, /* data; b: 1 without waiting, 4 the rest of a write that had to wait */
  OP_FD_CLOSE = 148,
  OP_FD_FLAGS = 149, /* a: 1 O_NONBLOCK */
  OP_FD_SHUT = 150, /* a: how */
  OP_FD_QUERY = 151, /* a: 0 how much can be read, 1 the capacity */
  OP_FD_POLL = 152, /* data: struct pollfd[]; b: how long */
  OP_EPOLL_CTL = 153, /* a: command, b: number; data: events (4), user (8) */
  OP_EPOLL_WAIT = 154, /* a: places, b: how long; result: how many, data: (events, user)[] */
  OP_MQ_SEND = 155, /* a: priority, b: 1 without waiting, c: 1 if timed; data: the text */
  OP_MQ_RECEIVE = 156, /* a: room; as OP_MSG_RECEIVE */
  OP_MQ_ATTRIBUTES = 157, /* data: most messages, longest, how many */
  OP_FILE_LOCK = 158, /* a: 0 unlock, 1 shared, 2 exclusive, 3 ask; b: 1 without waiting, 2 exclusive is asked, 4 no cancellation point; data: first, last, family */
  OP_FIFO_OPEN = 159, /* object: the number to come; a: flags of open; data: identity */
  /* What is in files and folders. */
  OP_CONTENT = 160, /* a note: one touch; as in weave_touch: object, a: start, b: length, c: how */
  OP_FILE = 161, /* object: the name; a: the system call; data: struct weave_touch[] */
  OP_INPUT = 162, /* standard input is to be read */
  OP_LOADED = 163, /* data: the path of a library that the program has loaded; a: 1 a function that it has looked up */
};

/* What of a file or folder is touched, and how. */
enum weave_part {
  PART_CONTENT = 1,
  PART_SIZE = 2,     /* and whatever else stat tells */
  PART_ENTRY = 3,    /* whether there is something of this name, and which file it is */
  PART_LIST = 4,     /* of a folder */
  PART_POSITION = 5, /* of an open file description */
  PART_FOLDER = 6,   /* the current one of a process */
  PART_ANY = 7,      /* of files by whatever name, see content.c */
  PART_STATE = 8,    /* something that the C library or the kernel keeps for a process: state.c */
  PART_NUMBER = 9,   /* what a descriptor of a process stands for, and which one is given next: numbers.c */
};
enum weave_touching {
  HOW_READ = 0,
  HOW_POST = 1,   /* commutes with others like it */
  HOW_CHANGE = 2, /* tells its thread nothing */
  HOW_UPDATE = 3,
  HOW_RESET = 4,  /* whatever was there before */
  HOW_MASK = 7,
  HOW_OUTLIVES = 8, /* the next run would see it */
  HOW_SEVERAL = 16, /* threads exist */
};
struct weave_touch {
  uint64_t object; /* part << 48 | name */
  uint64_t start;
  uint32_t length, how; /* and the descriptor << 8, of a position */
};

/* What a descriptor is; how long to wait. */
enum weave_fd {
  FD_PIPE = 0,
  FD_STREAM = 1,
  FD_PACKETS = 2,
  FD_DATAGRAMS = 3,
  FD_EVENT = 4,
  FD_EPOLL = 5,
  FD_QUEUE = 6, /* c: flags | identity << 8 */
  FD_FILE = 7, /* c: identity << 8 */
  FD_AT_ONCE = 0,
  FD_TIMED = 1,
  FD_FOREVER = 2,
};

enum weave_run {
  RUN_IDLE = 0,
  RUN_START = 1, /* fork the program once */
  RUN_END = 2,   /* kill and reap all of it */
  RUN_PROBE = 3, /* is process `probe` alive; its CPU time */
  RUN_QUIT = 4,
  RUN_NEXT = 5,  /* RUN_END, then RUN_START */
};

/* Who wants something, or may go on. Few bytes, so that those of all threads lie together. */
struct weave_slot {
  uint32_t turn;   /* futex: 0 the scheduler's, 1 the thread's */
  uint32_t posted; /* a request stands here */
  uint32_t op;
  uint32_t flags;
  uint64_t object;
  int64_t a, b, c;
  int64_t result;
  int32_t pid, tid;
  uint64_t pc;
  uint32_t frames;
  uint32_t length; /* of data */
  uint32_t parked; /* it sleeps, and touches no memory */
  uint32_t padding;
  uint64_t time;   /* what its clock shows, at least; if time is ordered: how long it has slept, with those it had to await */
  uint64_t until;  /* when a timed operation gives up; the same */
  uint64_t kept[8]; /* the thread's own: its registers when it asked */
};

/* What comes with a request or an answer. */
struct weave_data {
  uint64_t stack[LIM_STACK];
  uint8_t bytes[LIM_DATA];
};

/* The tape: what happened in the run before, as far as the next one begins in the same way. The
 * threads go through that part by themselves, without the scheduler: the thread that makes the next
 * request that is foreseen gives the answers behind it. */
struct weave_event {
  uint32_t answer; /* 0 a request, 1 an answer: its result is `object` */
  uint32_t who;
  uint32_t op, flags;
  uint64_t object;
  int64_t a, b, c;
  uint64_t pc;
  uint32_t data, length; /* where in `tape_data`, and how much */
  uint32_t notes, accesses; /* of a request, written by its thread: how many there were by then */
  uint32_t several; /* of an answer */
  uint32_t padding;
  uint64_t time, until; /* as in the slot */
};

struct weave_note {
  uint32_t op, slot;
  uint64_t object;
  int64_t a, b, c;
  uint64_t pc;
};

/* A plain access of instrumented code: what it does, and the slot above that. */
enum weave_access_how {
  ACC_READ = 0,
  ACC_WRITE = 1,
  ACC_RENEW = 2, /* no access: memory that is given out anew */
  ACC_FREE = 3,  /* writes the whole block */
  ACC_FOUND = 4, /* the comparison just before, a visible operation, found what it expected, and has written */
  ACC_INIT = 5,  /* an object begins or ends, which is a visible operation behind this */
  ACC_GIVEN = 6, /* no access: an identity is given out; `at` is its class */
  ACC_TAKEN = 7, /* no access: an identity is given back */
  ACC_MASK = 7,
  ACC_BITS = 3,
};
/* State of the C library that it does not lock: calls in no order race. Each stands for memory at
   an address that no program has. */
enum weave_unlocked {
  UNLOCKED_RANDOM48 = 256,
  UNLOCKED_ENVIRONMENT = 272,
  UNLOCKED_TOKENS = 288,
};
struct weave_access {
  uint64_t at, pc;
  uint32_t size, how;
};

/* The name of a file in this run: of the path at which it was seen first. */
struct weave_inode {
  uint64_t device, number, name;
  uint64_t mapped; /* into memory (MAPPED_…) */
};
/* The text of a name. */
struct weave_path {
  uint64_t name;
  char text[LIM_PATH];
};

struct weave_shared {
  uint32_t bell;    /* futex of the scheduler */
  uint32_t order;   /* futex of the server: a RUN_… */
  uint32_t ready;   /* the server is there, or has done what was ordered */
  uint32_t served;  /* only the first image serves */
  uint32_t several; /* more than one thread exists: initialisations are visible */
  uint32_t stacks;  /* wanted with each request */
  uint32_t notes;   /* how many */
  uint32_t contained; /* the server has its own pid, ipc and mount namespace */
  int32_t probe;
  uint32_t alive;
  uint64_t cpu_nanoseconds;
  uint64_t base;    /* where the program itself is loaded */
  uint32_t instrumented;
  uint32_t accesses;  /* how many */
  uint32_t backstop;  /* system calls of the program's own code are caught */
  uint32_t used;      /* slots that may have been used in this run, at least */
  uint32_t played;    /* events of the tape that have happened */
  uint32_t foreseen;  /* events of the tape that are to happen */
  uint32_t playing;   /* a thread is at it */
  uint32_t differs;   /* a request was another one: the run is none */
  uint32_t wanted;    /* how many of them are in the next run */
  uint32_t ordered;   /* sleeping orders */
  uint32_t waits;     /* places are known at which threads may only wait */
  uint32_t crowd;     /* files were used in this run while several threads existed */
  uint32_t inodes;    /* how many */
  uint32_t early;     /* a library has created a thread before the program was controlled */
  uint32_t cancels;   /* threads are cancelled: every cancellation point asks whether it is the end */
  struct weave_note note[LIM_NOTES];
  struct weave_slot slot[LIM_SLOTS];
  struct weave_event tape[LIM_TAPE];
  uint64_t racing[LIM_RACING]; /* accesses from these places are visible; 0 is empty */
  struct weave_access access[LIM_ACCESSES];
  uint8_t tape_data[LIM_TAPE_DATA];
  struct weave_inode inode[LIM_INODES];
  struct weave_path path[LIM_PATHS]; /* a hash table; kept from run to run */
  struct weave_data data[LIM_SLOTS];
};

#define WEAVE_RACING_HASH(pc) (((pc) * 0x9e3779b97f4a7c15ull) >> 54)
#define WEAVE_WAITS (1ull << 63) /* in the table of racing places: here a thread may only wait */
#define WEAVE_FILE (1ull << 62) /* there too: the calls on the file or folder of this name are visible */
#define WEAVE_CANCELLED (-7777) /* result: the thread ends here */
/* No memory: what a thread uses that is not safe in a handler; and what it keeps under its keys. */
#define UNSAFE (0xfff0ull << 48)
#define UNSAFE_ROOM 64
#define UNSAFE_MALLOC 0
#define UNSAFE_FREE 1
#define UNSAFE_STREAM 2
#define UNSAFE_EXIT 3
#define KEPT (0xffe0ull << 48)
#define OTHERWISE 2 /* OP_UNCONTROLLED: it is done otherwise than the kernel would */
#define WEAVE_SIGNAL (-7778) /* result: handlers run first; data: (signal, code, slot of the sender, value)[] */
#define WEAVE_SUSPENDED (-7779) /* the same, in sigsuspend: with its mask */
#define WEAVE_KILL 2 /* result of OP_KILL: all threads of the process compute; the caller has to end it */
#define WEAVE_POINT 1u /* flags: the thread may be cancelled here */
/* In `c` of an operation on an object: its memory shows no use so far; it is not for several
   processes. Twice as much: so of the mutex of a condition variable. */
#define WEAVE_FRESH 1u
#define WEAVE_PRIVATE 4u
#define WEAVE_COPIED 16u
#define WEAVE_MARKED 64u /* its memory has a mark; locks of the C library have none */
#endif
