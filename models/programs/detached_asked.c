/* Whether a thread is detached depends on the order.
 * expect: violated
 * run: run
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <sys/wait.h>
int x;
void*f(void*arg){ pthread_detach(pthread_self()); return 0;}
int main(){ ;
 pthread_t t; pthread_create(&t,0,f,0);
 pthread_attr_t a; pthread_getattr_np(t,&a); int d; pthread_attr_getdetachstate(&a,&d); assert(d==PTHREAD_CREATE_JOINABLE); _exit(0);
 pthread_join(t,0); }
