/* pthread_sigqueue tells that its thread has ended; pthread_kill does not.
 * expect: violated
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *nothing(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    union sigval value = {.sival_int = 1};
    signal(SIGUSR1, SIG_IGN);
    pthread_create(&thread, 0, nothing, 0);
    assert(pthread_kill(thread, SIGUSR1) == 0);
    int error = pthread_sigqueue(thread, SIGUSR1, value);
    assert(error == 0);
    pthread_join(thread, 0);
    return 0;
}
