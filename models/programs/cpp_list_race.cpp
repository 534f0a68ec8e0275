/* Links of a list are set by a function of the library: insertion beside a walk.
 * expect: violated
 * reason: race
 * run: run
 */
#include <list>
#include <thread>

static std::list<int> numbers{1, 2};

int main() {
  std::thread other([] { numbers.push_back(3); });
  int sum = 0;
  for (int number : numbers) sum += number;
  other.join();
  return sum < 0;
}
