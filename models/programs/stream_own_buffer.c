/* What is printed lies in a buffer of the program, which another thread writes.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <stdio.h>
static char buf[100];
void*f(void*p){ printf("x"); return 0; }
int main(){ setvbuf(stdout,buf,_IOFBF,100); pthread_t t; pthread_create(&t,0,f,0); buf[0]=1; pthread_join(t,0); }
