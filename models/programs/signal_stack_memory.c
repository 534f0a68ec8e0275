/* A handler runs on memory of the program: not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <pthread.h>
#include <sys/wait.h>
#include <sys/un.h>
char st[65536]; void h(int s){ volatile char b[100]; b[0]=1;}
void*f(void*arg){ stack_t s={st,0,65536}; sigaltstack(&s,0); struct sigaction sa={0}; sa.sa_handler=h; sa.sa_flags=SA_ONSTACK; sigaction(SIGUSR1,&sa,0); raise(SIGUSR1); return 0;}
int main(){ ;
 pthread_t t; pthread_create(&t,0,f,0);
 memset(st,1,65536);
 pthread_join(t,0); }
