/* What the task has written is read before its result is awaited.
 * expect: violated
 * expect race: violated
 * run: run
 */
#include <future>
#include <thread>
static int side;
int main() {
  std::packaged_task<int()> task([] { return side = 5; });
  auto future = task.get_future();
  std::thread worker(std::move(task));
  int early = side;
  future.get();
  worker.join();
  return early;
}
