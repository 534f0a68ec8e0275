/* printf reads the variable stdout, which another thread writes.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <malloc.h>
FILE*nf;
void*f(void*arg){ stdout=nf; return 0;}
int main(){ nf=fopen("/dev/null","w");
 pthread_t t; pthread_create(&t,0,f,0);
 printf("x\n");
 pthread_join(t,0); }
