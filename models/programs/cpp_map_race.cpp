/* A tree is changed by a function of the library: insertion beside a look-up.
 * expect: violated
 * reason: race
 * run: run
 */
#include <map>
#include <thread>

static std::map<int, int> numbers{{1, 1}, {5, 5}};

int main() {
  std::thread other([] { numbers.emplace(3, 3); });
  volatile bool found = numbers.find(5) != numbers.end();
  (void)found;
  other.join();
}
