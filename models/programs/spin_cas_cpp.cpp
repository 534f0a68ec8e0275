/* C++: a lock of one compare-and-swap that yields, and std::atomic_flag.
 * expect: holds
 * run: run
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> owner{0};
static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static int counter;

static void work(int me) {
  int free = 0;
  while (!owner.compare_exchange_weak(free, me)) {
    free = 0;
    std::this_thread::yield();
  }
  while (flag.test_and_set()) {}
  counter++;
  flag.clear();
  owner.store(0);
}

int main() {
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
  assert(counter == 2);
}
