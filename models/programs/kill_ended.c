/* A signal to a thread that has ended is lost: no process dies of it.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void *nothing(void *arg) { return arg; }

int main(void) {
    int status;
    pthread_t thread;
    if (fork() == 0) {
        pthread_create(&thread, 0, nothing, 0);
        pthread_kill(thread, SIGUSR1);
        _exit(0);
    }
    wait(&status);
    assert(WIFSIGNALED(status));
    return 0;
}
