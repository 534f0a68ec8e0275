/* A promise and its future: std::call_once in the state that they share, and a futex.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <future>
#include <thread>
int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread setter([&] { promise.set_value(5); });
  assert(future.get() == 5);
  setter.join();
}
