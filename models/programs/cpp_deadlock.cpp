/* C++: two locks taken in opposite order; std::scoped_lock would have been the way.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <mutex>
#include <thread>

static std::mutex a, b;

int main() {
  std::thread thread([] {
    std::lock_guard<std::mutex> first(b), second(a);
  });
  {
    std::lock_guard<std::mutex> first(a), second(b);
  }
  thread.join();
}
