/* Each thread has a pointer of its own to one object; the last one frees it. The library counts by
 * plain accesses as long as there is one thread (__libc_single_threaded), and by atomic ones then.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <memory>
#include <thread>
struct Node {
  int value;
  explicit Node(int v) : value(v) {}
  ~Node() { value = 0; }
};
int main() {
  auto mine = std::make_shared<Node>(3);
  std::thread reader([its = mine] { assert(its->value == 3); });
  mine.reset();
  reader.join();
}
