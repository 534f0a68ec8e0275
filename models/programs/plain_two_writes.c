/* Two plain writes against a read: the read may come before both, so that all three are to be interleaved.
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

static void *writer(void *x) {
    a = 1;
    a = 2;
    return x;
}

static void *reader(void *x) {
    seen = a;
    return x;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    assert(seen != 0);
}
