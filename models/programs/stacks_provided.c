/* Two threads run on stacks that the program provides.
 * expect: unknown
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <sys/mman.h>
atomic_int n;
void*f(void*x){volatile int loc=1;atomic_fetch_add(&n,loc);return 0;}
int main(){pthread_t a,b;pthread_attr_t t,u;
 char*s1=mmap(0,65536,3,MAP_PRIVATE|MAP_ANONYMOUS,-1,0),*s2=mmap(0,65536,3,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);
 pthread_attr_init(&t);pthread_attr_init(&u);pthread_attr_setstack(&t,s1,65536);pthread_attr_setstack(&u,s2,65536);
 pthread_create(&a,&t,f,0);pthread_create(&b,&u,f,0);pthread_join(a,0);pthread_join(b,0);assert(n==2);}
