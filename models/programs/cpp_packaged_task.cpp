/* A task in a thread of its own, and its result.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <future>
#include <thread>
int main() {
  std::packaged_task<int()> task([] { return 5; });
  auto future = task.get_future();
  std::thread worker(std::move(task));
  assert(future.get() == 5);
  worker.join();
}
