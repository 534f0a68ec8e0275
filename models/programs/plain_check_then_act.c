/* Both threads may find none busy. More becomes visible in the run in which that is found, and it is found again.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>

#ifndef VOLATILE
#define VOLATILE volatile
#endif

static VOLATILE int busy;
static VOLATILE int entered;

static void *enter(void *x) {
    if (!busy) {
        busy = 1;
        entered++;
    }
    return x;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, enter, 0);
    pthread_create(&u, 0, enter, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(entered < 2);
}
