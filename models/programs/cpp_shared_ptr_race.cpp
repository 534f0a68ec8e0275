/* The count is atomic, the pointer is not: one thread copies it, the other resets it.
 * expect: violated
 * expect race: violated
 * run: run
 */
#include <memory>
#include <thread>
static std::shared_ptr<int> shared = std::make_shared<int>(3);
int main() {
  std::thread reader([] { std::shared_ptr<int> its = shared; });
  shared.reset();
  reader.join();
}
