// run: run --divergence 300ms
#include <pthread.h>

int ready = 0;
int value = 0;

static void *produce(void *unused) {
    value = 42;
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    while (!ready)
        ;
    int got = value;
    pthread_join(producer, 0);
    return got == 42 ? 0 : 1;
}
