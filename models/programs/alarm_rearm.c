/* The alarm may go off before it is set again.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t rang;

static void handler(int signal) {
    (void)signal;
    sem_post(&rang);
}

int main(void) {
    sem_init(&rang, 0, 0);
    signal(SIGALRM, handler);
    alarm(1);
    alarm(2);
    assert(sem_trywait(&rang) < 0);
    return 0;
}
