#include <pthread.h>

pthread_mutex_t ready = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_unlock(&ready);
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_mutex_lock(&ready);
    pthread_create(&worker, 0, work, 0);
    pthread_mutex_lock(&ready);
    pthread_join(worker, 0);
    return 0;
}
