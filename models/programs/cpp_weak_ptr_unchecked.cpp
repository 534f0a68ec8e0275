/* A weak pointer is locked, and no thread asks whether the object was still there.
 * expect: violated
 * expect crash: violated
 * run: run
 */
#include <memory>
#include <thread>
int main() {
  auto mine = std::make_shared<int>(3);
  std::weak_ptr<int> weak = mine;
  std::thread reader([weak] { *weak.lock() = 4; });
  mine.reset();
  reader.join();
}
