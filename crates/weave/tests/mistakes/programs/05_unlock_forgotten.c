#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stock = 1;

static void *buy(void *unused) {
    pthread_mutex_lock(&lock);
    if (stock == 0)
        return unused;
    stock--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t buyers[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&buyers[i], 0, buy, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(buyers[i], 0);
    return 0;
}
