/* A barrier of OpenMP, whose library is not instrumented, orders what seems to race.
 * expect: unknown
 * run: run --cflags -fopenmp --cflags -lgomp
 */
#include <assert.h>
#include <omp.h>
int a[2],s;
int main(){
#pragma omp parallel num_threads(2)
 { int t=omp_get_thread_num(); a[t]=1;
#pragma omp barrier
 assert(a[1-t]==1);
#pragma omp critical
 s++;
 }
 assert(s==2);}
