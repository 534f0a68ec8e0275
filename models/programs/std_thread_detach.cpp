/* A thread object is read while another thread changes it.
 * expect: violated
 * run: run
 */
#include <thread>
std::thread t; volatile bool s;
int main(){ t=std::thread([]{}); std::thread u([]{ s=t.joinable(); }); t.detach(); u.join(); }
