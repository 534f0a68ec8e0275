/* A weak pointer is locked: the object is there, or it is not.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <memory>
#include <thread>
int main() {
  auto mine = std::make_shared<int>(3);
  std::weak_ptr<int> weak = mine;
  std::thread reader([weak] {
    if (auto its = weak.lock()) assert(*its == 3);
  });
  mine.reset();
  reader.join();
}
