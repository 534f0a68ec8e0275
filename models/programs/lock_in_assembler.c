/* A lock in assembler orders what seems to race: it is not seen.
 * expect: unknown
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
static volatile int l;int n;
static inline int xchg(volatile int*p,int v){__asm__ volatile("xchgl %0,%1":"+r"(v),"+m"(*p)::"memory");return v;}
void*f(void*x){while(xchg(&l,1))sched_yield();n++;xchg(&l,0);return 0;}
int main(){pthread_t a,b;pthread_create(&a,0,f,0);pthread_create(&b,0,f,0);pthread_join(a,0);pthread_join(b,0);assert(n==2);}
