/* A descriptor may be closed before it is copied.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <assert.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/file.h>
int q;
void*f(void*arg){ close(q); return 0;}
int main(){ q=eventfd(1,EFD_NONBLOCK);
 pthread_t t; pthread_create(&t,0,f,0);
 assert(fcntl(q,F_DUPFD_CLOEXEC,10)>=0);
 pthread_join(t,0); }
