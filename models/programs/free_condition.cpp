/* The waiter deletes what is notified behind the lock: that may be too late.
 * expect: violated
 * reason: race
 * run: run
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
  std::thread other([=] {
    {
      std::lock_guard<std::mutex> lock(shared->mutex);
      shared->done = true;
    }
    shared->changed.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(shared->mutex);
    shared->changed.wait(lock, [&] { return shared->done; });
  }
  delete shared;
  other.join();
}
