/* A thread that is asked to stop, and is joined at the end of its scope.
 * expect: holds
 * run: run --cflags -std=c++20
 */
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>
static std::atomic<int> count{0};
int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      if (!stop.stop_requested()) count++;
    });
    worker.request_stop();
  }
  assert(count <= 1);
}
