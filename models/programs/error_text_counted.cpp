/* Copies of an error share a text that the library counts and frees after the last: no race.
 * expect: unknown
 * run: run --cflags -std=c++20
 */
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <thread>
int main(){ std::runtime_error*e=new std::runtime_error("hello");
 auto f=[](std::runtime_error q){ assert(q.what()[0]=='h'); };
 std::thread a(f,*e),b(f,*e); delete e; a.join(); b.join(); }
