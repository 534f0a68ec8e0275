/* What the thread has written is read before the end of its scope joins it.
 * expect: violated
 * expect race: violated
 * run: run --cflags -std=c++20
 */
#include <thread>
static int count;
int main() {
  std::jthread worker([] { count = 1; });
  return count;
}
