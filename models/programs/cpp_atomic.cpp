/* C++ atomics: two increments that are not one operation each lose one.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> count{0};

static void increment() { count.store(count.load() + 1); }

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
  assert(count.load() == 2);
}
