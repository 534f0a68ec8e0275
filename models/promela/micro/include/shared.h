/* Included by micro_preprocessor.pml. */
#define FROM_HEADER 42
inline from_header(v) { v++ }
