/* The promise is kept only if the flag was set before.
 * expect: violated
 * expect deadlock: violated
 * run: run
 */
#include <atomic>
#include <future>
#include <thread>
static std::atomic<bool> ready{false};
int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread setter([&] {
    if (ready) promise.set_value(5);
  });
  ready = true;
  future.get();
  setter.join();
}
