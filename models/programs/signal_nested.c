/* A handler that does not block its signal is interrupted by it.
 * expect: violated
 * run: run
 */
#include <signal.h>
#include <unistd.h>
#include <assert.h>
volatile int d; void h(int s){ assert(d==0); d++; usleep(1); d--; }
int main(){ struct sigaction a={0}; a.sa_handler=h; a.sa_flags=SA_NODEFER; sigaction(SIGUSR1,&a,0); if(!fork()){ kill(getppid(),SIGUSR1); kill(getppid(),SIGUSR1); _exit(0);} for(int i=0;i<3;i++) usleep(1); }
