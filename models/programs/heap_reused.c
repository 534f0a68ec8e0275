/* Blocks and stacks that one thread leaves and another gets: no race, although nothing orders the threads.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void set(volatile int *at) { *at = 1; }

static void *worker(void *x) {
    volatile int here[10];
    for (int i = 0; i < 10; i++) set(&here[i]);
    for (int i = 0; i < 3; i++) {
        int *block = malloc(64);
        memset(block, 1, 64);
        block = realloc(block, 4096);
        block[900] = 1;
        free(block);
        block = malloc(1 << 15);
        block[5000] = 1;
        free(block);
    }
    return x;
}

int main(void) {
    pthread_t threads[4];
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], i & 1 ? &detached : 0, worker, 0);
    for (int i = 0; i < 4; i += 2) pthread_join(threads[i], 0);
    int *block = malloc(64);
    block[0] = 1;
    free(block);
    return 0;
}
