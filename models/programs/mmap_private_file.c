/* A private mapping shows what another process writes to its file: not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <stdio.h>
#include <assert.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sys/file.h>
int d; char*p;
int main(){ d=open(P_tmpdir "/a",O_RDWR|O_CREAT,0600); write(d,"abc",3); p=mmap(0,3,PROT_READ,MAP_PRIVATE,d,0);
 pid_t kid=fork(); if(!kid){ int e=open(P_tmpdir "/a",O_WRONLY); write(e,"x",1);
 _exit(0);}
 assert(p[0]=='a');
 int st_; waitpid(kid,&st_,0); assert(WIFEXITED(st_)&&WEXITSTATUS(st_)==0); }
