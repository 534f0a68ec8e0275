/* The program is killed if the reading end is closed first.
 * expect: violated
 * run: run --exit
 */
#include <pthread.h>
#include <unistd.h>
int p[2];
void*f(void*a){ close(p[0]); return 0; }
int main(){ pipe(p); pthread_t t; pthread_create(&t,0,f,0); write(p[1],"a",1); pthread_join(t,0); return 0; }
