/* A descriptor may be closed before it is polled.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <assert.h>
#include <unistd.h>
#include <poll.h>
int p[2];
void*f(void*arg){ close(p[0]); return 0;}
int main(){ pipe(p);
 pthread_t t; pthread_create(&t,0,f,0);
 struct pollfd f={p[0],POLLIN}; poll(&f,1,0); assert(!(f.revents&POLLNVAL));
 pthread_join(t,0); }
