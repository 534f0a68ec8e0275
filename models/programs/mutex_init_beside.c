/* A mutex is initialised while another thread may lock it.
 * expect: violated
 * run: run
 */
#include <pthread.h>
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
void*f(void*arg){ pthread_mutex_lock(&m); return 0;}
int main(){ ;
 pthread_t t; pthread_create(&t,0,f,0);
 pthread_mutex_init(&m,0);
 pthread_join(t,0); }
