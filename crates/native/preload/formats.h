/* The arguments of printf and scanf. */
#ifndef WEAVE_FORMATS_H
#define WEAVE_FORMATS_H
#include <stdarg.h>
#include <stdint.h>
void weave_see_printed(const char *how, va_list values, uint64_t pc);
/* How many were scanned. */
void weave_see_scanned(const char *how, va_list values, int done, uint64_t pc);
#endif
