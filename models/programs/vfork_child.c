/* The child of vfork runs in the memory of its parent, which waits: not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <unistd.h>
#include <sys/wait.h>
#include <sys/file.h>
int d[2];
int main(){ pipe(d); fcntl(d[0],F_SETFL,O_NONBLOCK);
 pid_t kid=fork(); if(!kid){ ;
 _exit(0);}
 if(!vfork()){ write(d[1],"a",1); _exit(0);} char c; assert(read(d[0],&c,1)==1);
 int st_; waitpid(kid,&st_,0); assert(WIFEXITED(st_)&&WEXITSTATUS(st_)==0); }
