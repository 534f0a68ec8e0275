/* gcc stores the pointer to a member that std::async gives its thread without telling of it.
 * expect: unknown
 * run: run
 */
#include <cassert>
#include <future>
int main() {
  auto future = std::async(std::launch::async, [] { return 7; });
  assert(future.get() == 7);
}
