/* C++: std::scoped_lock takes two locks in any order without deadlock, by trying and giving back. It may try again without
 * end, which no exhaustive search can follow: bounded.
 * expect: unknown
 * reason: bounded
 * run: run --depth 12
 */
#include <mutex>
#include <thread>

static std::mutex a, b;

int main() {
  std::thread thread([] { std::scoped_lock both(b, a); });
  {
    std::scoped_lock both(a, b);
  }
  thread.join();
}
