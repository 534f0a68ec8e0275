/* The variable of a thread that has ended is gone.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <stdatomic.h>
__thread int v; _Atomic(int*) g;
void*f(void*a){ v=1; g=&v; return 0;}
int main(){ pthread_t t; pthread_create(&t,0,f,0); int*p=g; if(p) *p=2; pthread_join(t,0); }
