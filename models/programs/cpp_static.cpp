/* C++: a static variable of a function is initialised once, by the first thread; the other waits.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int made;

struct Thing {
  int number;
  Thing() {
    std::lock_guard<std::mutex> guard(mutex);
    number = ++made;
  }
};

static void use() {
  static Thing thing;
  assert(thing.number == 1);
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(made == 1);
}
