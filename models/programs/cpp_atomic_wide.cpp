/* Atomics of 16 bytes: a pointer and a counter, as lock-free structures use them.
 * expect: holds
 * run: run
 */
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(16) Tagged {
  long value, tag;
};

int main() {
  std::atomic<Tagged> shared{Tagged{0, 0}};
  auto add = [&] {
    Tagged old = shared.load();
    while (!shared.compare_exchange_weak(old, Tagged{old.value + 1, old.tag + 2})) {
    }
  };
  std::thread other(add);
  add();
  other.join();
  Tagged now = shared.load();
  assert(now.value == 2 && now.tag == 4);
}
