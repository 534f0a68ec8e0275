/* A library function that is not in the table: what it accesses is not known.
 * expect: unknown
 * run: run
 * reason: complete for the operations seen
 */
#include <pthread.h>
#include <search.h>

static int table[4] = {1, 2, 3}, key = 4;
static size_t count = 3;

static int differs(const void *a, const void *b) { return *(const int *)a != *(const int *)b; }
static void *searches(void *unused) {
  lsearch(&key, table, &count, sizeof key, differs);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, searches, 0);
  pthread_join(other, 0);
  return 0;
}
