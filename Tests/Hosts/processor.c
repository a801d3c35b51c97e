// What is a processor's own in the kit's C, called on that processor: how subnormal numbers are treated, the counter, requests
// to valgrind without one, the places that calls are made from. Ends with 0, or with the line that is wrong.
#define USE_DOUBLE 1
#include <csound/csdl.h>
#include <stdint.h>

#include "CCallgrind.h"
#include "Processor.h"

#define REQUIRE(condition)                                                                         \
  if (!(condition)) return __LINE__

const uint64_t count_toggle[6] = {ccg_toggle_collect};
int trace_true(CSOUND *csound, void *block, SUBR function);
typedef int (*trace_site)(CSOUND *, void *, SUBR, const char *);
extern const char trace_high_0[], trace_high_2047[], trace_low_0[], trace_low_1023[];
int trace_counted_perform(CSOUND *csound, void *block);
int count_message(CSOUND *csound, int attributes, const char *text);

int trace_perform(CSOUND *csound, void *block) { return csound == NULL ? *(int *)block + 1 : -1; }
int trace_initialize(CSOUND *csound, void *block) { return trace_perform(csound, block) - 2; }
int count_take_message(CSOUND *csound, int attributes, const char *text) {
  return csound == NULL && text[0] == 'x' ? attributes : -1;
}

static int add_two(CSOUND *csound, void *block) { return csound == NULL ? *(int *)block + 2 : -1; }

int main(void) {
  volatile double tiny = 1e-310, one = 1;
  cv_set_float_mode(cv_float_mode_precise);
  REQUIRE(tiny * one != 0);
  cv_forget_float_events();
  REQUIRE(!cv_has_met_subnormals());
  cv_set_float_mode(cv_float_mode_csound);
  REQUIRE(tiny * one == 0);
  REQUIRE(cv_get_float_mode() == cv_float_mode_csound);
  cv_set_float_mode(cv_float_mode_precise);
  cv_forget_float_events();
  REQUIRE(one * one == 1 && !cv_has_met_subnormals());
  volatile double small = 1e-300, third = 1.0 / 3, product = small * 1e-10 * third;
  REQUIRE(product != 0 && cv_has_met_subnormals());

  uint64_t start = cv_counter_in_order();
  for (volatile int wait = 0; wait < 1000000; wait++) cv_wait_a_little();
  REQUIRE(cv_counter() > start);

  REQUIRE(ccg_ask(ccg_running_on_valgrind, NULL) == 0);
  int number = 40;
  REQUIRE(trace_true(NULL, &number, (SUBR)add_two) == 42);
  REQUIRE(((trace_site)trace_high_0)(NULL, &number, (SUBR)add_two, trace_low_0) == 42);
  REQUIRE(((trace_site)trace_high_2047)(NULL, &number, (SUBR)add_two, trace_low_1023) == 42);
  REQUIRE(trace_high_2047 - trace_high_0 == 2047 * 16);
  REQUIRE(trace_counted_perform(NULL, &number) == 41);
  REQUIRE(count_message(NULL, 7, "x") == 7);
  return 0;
}
