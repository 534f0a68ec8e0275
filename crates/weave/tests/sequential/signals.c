/* Signals and processes. */
#define _GNU_SOURCE
#include "say.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void handle(int s, siginfo_t *info, void *unused) {
  (void)unused;
  sigset_t now;
  sigprocmask(0, 0, &now);
  printf("handler %d code %d self %d value %d blocked %d %d\n", s, info->si_code, info->si_pid == getpid(),
         info->si_code == SI_QUEUE ? info->si_value.sival_int : 0, sigismember(&now, s), sigismember(&now, SIGUSR2));
}
static void sends(int s) {
  static int times;
  printf("in %d\n", s);
  if (s == SIGUSR1 && times++ < 2) raise(SIGUSR2), raise(SIGUSR1);
  printf("out %d\n", s);
}
static void *in_thread(void *unused) {
  SAY(raise(SIGUSR1));
  SAY(pthread_kill(pthread_self(), SIGUSR1));
  return unused;
}

int main(int count_, char **words_) {
  begin(count_, words_);
  struct sigaction a = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO}, old;
  sigset_t one, none, pending, two;
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  two = one;
  sigaddset(&two, SIGUSR2);
  SAY(sigaction(SIGUSR1, &a, &old));
  SAY(old.sa_handler == SIG_DFL);
  SAY(sigaction(SIGKILL, &a, 0));
  SAY(sigaction(0, &a, 0));
  SAY(sigaction(99, &a, 0));
  SAY(raise(SIGUSR1));
  SAY(kill(getpid(), SIGUSR1));
  SAY(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 42}));
  SAY(kill(getpid(), 0));
  SAY(kill(getpid(), 99));
  SAY(raise(99));
  SAY(sigprocmask(SIG_BLOCK, &one, &none));
  SAY(kill(getpid(), SIGUSR1));
  SAY(raise(SIGUSR1));
  SAY(sigpending(&pending));
  SAY(sigismember(&pending, SIGUSR1));
  SAY(sigismember(&pending, SIGUSR2));
  SAY(sigprocmask(SIG_UNBLOCK, &one, 0));
  SAY(sigpending(&pending));
  SAY(sigismember(&pending, SIGUSR1));
  SAY(sigprocmask(77, &one, 0));
  SAY(sigprocmask(SIG_BLOCK, &one, 0));
  SAY(raise(SIGUSR1));
  int found = 0;
  SAY(sigwait(&one, &found));
  SAY(found);
  siginfo_t info;
  struct timespec soon = {0, 1000000}, now = {0, 0};
  SAY(sigtimedwait(&one, &info, &now));
  SAY(sigtimedwait(&one, &info, &soon));
  SAY(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 5}));
  SAY(sigwaitinfo(&one, &info));
  SAY(info.si_value.sival_int);
  SAY(raise(SIGUSR1));
  SAY(sigsuspend(&none));
  SAY(sigprocmask(SIG_SETMASK, &none, 0));
  a.sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER;
  a.sa_mask = two;
  SAY(sigaction(SIGUSR1, &a, 0));
  SAY(raise(SIGUSR1));
  SAY(sigaction(SIGUSR1, 0, &old));
  SAY(old.sa_handler == SIG_DFL);
  SAY(signal(SIGUSR1, sends) == SIG_DFL);
  SAY(signal(SIGUSR2, sends) == SIG_DFL);
  SAY(raise(SIGUSR1));
  SAY(sigprocmask(SIG_BLOCK, &two, 0));
  SAY(raise(SIGUSR2));
  SAY(signal(SIGUSR1, SIG_IGN) == sends);
  SAY(raise(SIGUSR1));
  SAY(sigpending(&pending));
  SAY(sigismember(&pending, SIGUSR1));
  SAY(sigprocmask(SIG_UNBLOCK, &two, 0));
  SAY(signal(SIGUSR1, sends) == SIG_IGN);
  SAY(sigprocmask(SIG_BLOCK, &one, 0));
  SAY(raise(SIGUSR1));
  SAY(signal(SIGUSR1, SIG_IGN) == sends);
  SAY(sigpending(&pending));
  SAY(sigismember(&pending, SIGUSR1));
  SAY(sigprocmask(SIG_UNBLOCK, &one, 0));
  for (int i = 0; i < 3; i++) {
    sigset_t rt;
    sigemptyset(&rt);
    sigaddset(&rt, SIGRTMIN + 1);
    sigaddset(&rt, SIGRTMIN);
    a.sa_flags = SA_SIGINFO;
    sigemptyset(&a.sa_mask);
    sigaction(SIGRTMIN, &a, 0);
    sigaction(SIGRTMIN + 1, &a, 0);
    sigprocmask(SIG_BLOCK, &rt, 0);
    SAY(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i}));
    SAY(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 10 + i}));
    SAY(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 20 + i}));
    sigprocmask(SIG_UNBLOCK, &rt, 0);
  }
  a.sa_sigaction = handle;
  SAY(sigaction(SIGUSR1, &a, 0));
  pthread_t t;
  pthread_create(&t, 0, in_thread, 0);
  SAY(pthread_join(t, 0));

  int status;
  SAY(wait(&status));
  SAY(waitpid(1 << 20, &status, 0));
  for (int how = 0; how < 5; how++) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      signal(SIGUSR1, SIG_DFL);
      if (how == 0) _exit(300);
      if (how == 1) raise(SIGUSR1);
      if (how == 2) kill(getpid(), SIGKILL);
      if (how == 3) exit(9);
      if (how == 4) quick_exit(11);
    }
    SAY(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
    printf("%d %d %d\n", info.si_code, info.si_status, info.si_pid == child);
    SAY(kill(child, 0));
    SAY(waitpid(child, &status, 0) == child);
    printf("%d %d %d %d\n", WIFEXITED(status), WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status),
           WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    SAY(kill(child, 0));
    SAY(waitid(P_PID, (id_t)child, &info, WEXITED));
  }
  SAY(waitid(P_ALL, 0, &info, 0));
  SAY(waitpid(-1, 0, WNOHANG));
  end();
  return 0;
}
