/* A signal with a value reaches the first thread.
 * expect: violated
 * run: run
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <sys/wait.h>
volatile int g; void h(int s,siginfo_t*i,void*c){ g=i->si_value.sival_int; } pthread_t mm;
void*f(void*arg){ union sigval v={1}; pthread_sigqueue(mm,SIGUSR1,v); return 0;}
int main(){ mm=pthread_self(); struct sigaction a={0}; a.sa_sigaction=h; a.sa_flags=SA_SIGINFO; sigaction(SIGUSR1,&a,0);
 pthread_t t; pthread_create(&t,0,f,0);
 assert(g==0);
 pthread_join(t,0); }
