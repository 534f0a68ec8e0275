/* The width of a stream is set while another thread shows a number: a race, whatever is shown.
 * expect: violated
 * run: run
 */
#include <cassert>
#include <iostream>
#include <thread>
int main() {
  std::thread a([] { std::cout << 1L; }), b([] { std::cout.width(5); });
  a.join(); b.join();
  assert(std::cout.width() == 5);
}
