/* A thread reads and then writes what another one writes: the read races too, although a write of its own thread comes behind it.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>

#ifndef VOLATILE
#define VOLATILE volatile
#endif

static VOLATILE int a;
static int seen;

static void *both(void *x) {
    seen = a;
    a = 1;
    return x;
}

static void *writer(void *x) {
    a = 5;
    return x;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, both, 0);
    pthread_create(&u, 0, writer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(seen != 5);
}
