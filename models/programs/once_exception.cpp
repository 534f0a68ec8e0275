/* A routine of call_once that throws was not done: another thread does it. The exception passes through what controls the program.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int tries, done;

static void enter() {
  try {
    std::call_once(flag, [] {
      if (tries++ == 0) throw tries;
      done++;
    });
  } catch (int) {
  }
}

int main() {
  std::thread a(enter), b(enter);
  a.join();
  b.join();
  assert(done == 1 && tries == 2);
}
