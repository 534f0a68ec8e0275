/* The destructor of a base class joins the thread: by then another table of functions is stored.
 * expect: violated
 * run: run
 */
#include <cassert>
#include <thread>

struct Task {
  std::thread worker;
  virtual int kind() { return 0; }
  virtual ~Task() { worker.join(); }
};

struct Own : Task {
  Own() {
    worker = std::thread([this] { assert(kind() == 1); });
  }
  int kind() override { return 1; }
};

int main() {
  Own task;
}
