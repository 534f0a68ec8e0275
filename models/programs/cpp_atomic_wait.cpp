/* std::atomic::wait, which is a futex inside.
 * expect: holds
 * run: run --cflags -std=c++20
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag{0};
static int value = 0;

int main() {
  std::thread setter([] {
    value = 42;
    flag.store(1);
    flag.notify_one();
  });
  flag.wait(0);
  assert(value == 42);
  setter.join();
}
