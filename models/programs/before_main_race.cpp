/* A global object starts a thread in its constructor, which shares a plain variable with main.
 * expect: violated
 * reason: race
 * run: run
 */
#include <thread>

static int shared;

struct Worker {
  std::thread thread{[] { shared++; }};
  ~Worker() { thread.join(); }
};
static Worker worker;

int main() { return shared > 1; }
