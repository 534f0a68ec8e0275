/* A descriptor may be closed before select looks at it.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <assert.h>
#include <unistd.h>
#include <sys/sendfile.h>
int p[2];
void*f(void*arg){ close(p[0]); return 0;}
int main(){ pipe(p);
 pthread_t t; pthread_create(&t,0,f,0);
 fd_set s; FD_ZERO(&s); FD_SET(p[0],&s); struct timeval z={0}; assert(select(p[0]+1,&s,0,0,&z)>=0);
 pthread_join(t,0); }
