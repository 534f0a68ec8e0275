/* System V semaphores and messages. */
#define _GNU_SOURCE
#include "say.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OPS(...) (struct sembuf[]){__VA_ARGS__}
static int set;
#define DO(...) SAY(semop(set, OPS(__VA_ARGS__), sizeof OPS(__VA_ARGS__) / sizeof(struct sembuf)))
struct message {
  long type;
  char text[16];
};
static int queue;
static void give(long type, const char *text) {
  struct message m = {.type = type};
  strcpy(m.text, text);
  SAY(msgsnd(queue, &m, strlen(text) + 1, IPC_NOWAIT));
}
static void take(long type, int flags, size_t room) {
  struct message m = {0};
  SAY(msgrcv(queue, &m, room, type, flags | IPC_NOWAIT));
  printf("  %ld %s\n", m.type, m.text);
}

int main(int count_, char **words_) {
  begin(count_, words_);
  unsigned short all[3] = {3, 0, 5};
  struct timespec soon = {0, 1000000};
  set = semget(IPC_PRIVATE, 3, 0600);
  SAY(set >= 0);
  SAY(semctl(set, 0, SETALL, all));
  SAY(semctl(set, 0, GETVAL));
  SAY(semctl(set, 2, GETVAL));
  SAY(semctl(set, 3, GETVAL));
  SAY(semctl(set, -1, GETVAL));
  SAY(semctl(set, 0, SETVAL, -1));
  SAY(semctl(set, 0, SETVAL, 32768));
  SAY(semctl(set, 1, GETNCNT));
  SAY(semctl(set, 1, GETZCNT));
  DO({0, -2, IPC_NOWAIT});
  DO({0, -2, IPC_NOWAIT});
  DO({0, -1, 0}, {1, 0, IPC_NOWAIT}, {2, -5, 0});
  DO({2, 0, IPC_NOWAIT});
  DO({0, 0, IPC_NOWAIT}, {0, 1, 0});
  DO({0, 0, IPC_NOWAIT}, {0, 1, 0});
  DO({0, -1, 0}, {0, 0, IPC_NOWAIT}, {0, 4, 0});
  DO({0, -3, 0}, {0, -3, IPC_NOWAIT});
  SAY(semctl(set, 0, GETVAL));
  DO({5, 1, 0});
  DO({0, 32767, 0});
  SAY(semop(set, OPS({0, 1, 0}), 0));
  SAY(semop(set + 77, OPS({0, 1, 0}), 1));
  SAY(semtimedop(set, OPS({1, -1, 0}), 1, &soon));
  SAY(semctl(set, 0, GETALL, all));
  printf("%d %d %d\n", all[0], all[1], all[2]);
  pid_t child = fork();
  if (child == 0) {
    semop(set, OPS({0, -4, SEM_UNDO}, {1, 2, SEM_UNDO}), 2);
    _exit(semctl(set, 0, GETVAL) * 10 + semctl(set, 1, GETVAL));
  }
  int status;
  waitpid(child, &status, 0);
  SAY(WEXITSTATUS(status));
  SAY(semctl(set, 0, GETALL, all));
  printf("%d %d %d\n", all[0], all[1], all[2]);
  SAY(semctl(set, 0, IPC_RMID));
  DO({0, 1, 0});
  SAY(semctl(set, 0, GETVAL));
  int named = semget(0x1234, 2, IPC_CREAT | IPC_EXCL | 0600);
  SAY(named >= 0);
  SAY(semget(0x1234, 2, IPC_CREAT | IPC_EXCL | 0600));
  SAY(semget(0x1234, 0, 0) == named);
  SAY(semget(0x1234, 3, 0));
  SAY(semget(0x9999, 1, 0));
  SAY(semget(IPC_PRIVATE, 0, 0600));
  SAY(semctl(named, 0, IPC_RMID));
  SAY(semget(0x1234, 1, 0));

  queue = msgget(IPC_PRIVATE, 0600);
  SAY(queue >= 0);
  give(3, "three");
  give(1, "one");
  give(2, "two");
  give(1, "uno");
  give(0, "none");
  give(5, "");
  take(0, 0, 16);
  take(-2, 0, 16);
  take(2, 0, 16);
  take(9, 0, 16);
  take(5, MSG_EXCEPT, 16);
  take(5, 0, 0);
  take(5, MSG_NOERROR, 0);
  take(0, 0, 16);
  give(4, "abcdef");
  take(4, 0, 3);
  take(4, MSG_NOERROR, 3);
  struct message m = {.type = 1};
  SAY(msgsnd(queue, &m, 9000, IPC_NOWAIT));
  struct msqid_ds info;
  give(1, "x");
  SAY(msgctl(queue, IPC_STAT, &info));
  SAY(info.msg_qnum);
  SAY(msgctl(queue, IPC_RMID, 0));
  take(0, 0, 16);
  SAY(msgget(0x77, 0));
  end();
  return 0;
}
