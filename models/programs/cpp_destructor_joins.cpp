/* The destructor of a final class joins its thread, which calls a virtual function: the destructor
 * stores the table of functions that is there already, which changes nothing.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <thread>

struct Task {
  std::thread worker;
  virtual int kind() { return 0; }
  virtual ~Task() = default;
};

struct Own : Task {
  Own() {
    worker = std::thread([this] { assert(kind() == 1); });
  }
  int kind() override { return 1; }
  ~Own() override { worker.join(); }
};

int main() {
  Own task;
}
