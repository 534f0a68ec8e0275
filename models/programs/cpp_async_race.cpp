/* What the other thread writes is read before its result is awaited.
 * expect: violated
 * expect race: violated
 * run: run
 */
#include <future>
static int side;
int main() {
  auto future = std::async(std::launch::async, [] { return side = 7; });
  int early = side;
  future.get();
  return early;
}
