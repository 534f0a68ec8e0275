/* It waits without asking what for: the notification may have come before.
 * expect: violated
 * expect deadlock: violated
 * run: run
 */
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex lock;
static std::condition_variable_any changed;
int main() {
  std::thread setter([] { changed.notify_one(); });
  {
    std::unique_lock<std::mutex> held(lock);
    changed.wait(held);
  }
  setter.join();
}
