/* C++: std::mutex, std::condition_variable, std::thread, lock guards and an exception on the way.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int value;

static void producer() {
  try {
    std::lock_guard<std::mutex> guard(mutex);
    value = 1;
    throw std::runtime_error("leaves the lock");
  } catch (const std::exception &) {
    changed.notify_one();
  }
}

int main() {
  std::thread thread(producer);
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return value == 1; });
  }
  thread.join();
  assert(value == 1);
}
