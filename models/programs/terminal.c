/* A terminal carries data between processes: not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <sys/file.h>
int d;
int main(){ d=posix_openpt(O_RDWR|O_NONBLOCK); grantpt(d); unlockpt(d);  int e=open(ptsname(d),O_RDWR);;
 pid_t kid=fork(); if(!kid){ write(e,"a",1);
 _exit(0);}
 char c; assert(read(d,&c,1)<0);
 int st_; waitpid(kid,&st_,0); assert(WIFEXITED(st_)&&WEXITSTATUS(st_)==0); }
