/* The format of a stream is set while another thread shows one.
 * expect: violated
 * run: run
 */
#include <thread>
#include <iostream>
int main(){ std::thread a([]{ std::cout<<std::hex; }); std::cout<<15<<std::endl; a.join(); }
