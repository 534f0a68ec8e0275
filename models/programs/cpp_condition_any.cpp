/* std::condition_variable_any has a mutex that waiters and notifiers share by a counted pointer.
 * expect: holds
 * run: run
 */
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex lock;
static std::condition_variable_any changed;
static bool ready;
int main() {
  std::thread setter([] {
    {
      std::lock_guard<std::mutex> held(lock);
      ready = true;
    }
    changed.notify_one();
  });
  {
    std::unique_lock<std::mutex> held(lock);
    changed.wait(held, [] { return ready; });
  }
  setter.join();
}
