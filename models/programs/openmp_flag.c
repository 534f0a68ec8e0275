/* Flags of the compiler that name a library reach the linker; what libgomp does is not seen.
 * expect: unknown
 * run: run --cflags -fopenmp
 */
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 4; i++) sum += i;
  return sum != 6;
}
