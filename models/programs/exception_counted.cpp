/* The library counts who uses an exception and frees it after the last: no race, but unseen.
 * expect: unknown
 * run: run --cflags -std=c++20
 */
#include <cassert>
#include <exception>
#include <thread>
struct E{int v;};
int main(){ std::exception_ptr p; try{ throw E{7}; }catch(...){ p=std::current_exception(); }
 auto f=[](std::exception_ptr q){ try{ std::rethrow_exception(q); }catch(E&e){ assert(e.v==7); } };
 std::thread a(f,p),b(f,p); p=nullptr; a.join(); b.join(); }
