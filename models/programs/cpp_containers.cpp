/* Containers under a lock, and one of each thread's own.
 * expect: holds
 * run: run
 */
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>

static std::map<int, int> numbers;
static std::list<int> last;
static std::mutex mutex;

static void work(int from) {
  std::set<int> own{from, from + 1};
  for (int number : own) {
    std::lock_guard<std::mutex> lock(mutex);
    numbers[number] = number;
    last.push_back(number);
    if (last.size() > 2) last.pop_front();
    numbers.erase(number - 1);
  }
}

int main() {
  std::thread other(work, 1);
  work(10);
  other.join();
  last.reverse();
  for (auto &pair : numbers) assert(pair.first == pair.second);
}
