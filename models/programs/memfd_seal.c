/* Seals of files are not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sys/file.h>
int d;
int main(){ d=memfd_create("a",MFD_ALLOW_SEALING);
 pid_t c=fork(); if(!c){ fcntl(d,F_ADD_SEALS,F_SEAL_WRITE);
 _exit(0);}
 assert(write(d,"a",1)==1);
 int st_; waitpid(c,&st_,0); assert(WIFEXITED(st_)&&WEXITSTATUS(st_)==0); }
