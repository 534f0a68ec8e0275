/* As free_condition.cpp, but notified under the lock: all uses come before the end of the object.
 * expect: holds
 * run: run --cflags -std=c++17
 */
#include <condition_variable>
#include <mutex>
#include <thread>

struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};

int main() {
  Shared *shared = new Shared;
  std::thread thread([=] {
    std::lock_guard<std::mutex> lock(shared->mutex);
    shared->done = true;
    shared->changed.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(shared->mutex);
    shared->changed.wait(lock, [&] { return shared->done; });
  }
  delete shared;
  thread.join();
}
