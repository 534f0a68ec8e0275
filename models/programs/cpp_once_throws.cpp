/* C++: a routine of call_once that is left by an exception has not been done: the next one who comes does it again.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static std::mutex mutex;
static int begun, done;

static void initialise() {
  std::lock_guard<std::mutex> guard(mutex);
  if (++begun == 1) throw 1;
  done++;
}

static void worker() {
  try {
    std::call_once(flag, initialise);
  } catch (int) {
  }
}

int main() {
  std::thread first(worker), second(worker);
  first.join();
  second.join();
  assert(begun == 2 && done == 1);
}
