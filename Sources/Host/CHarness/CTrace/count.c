#include "count.h"

#include "CCallgrind.h"
#include "CTrace.h"
#include "Host.h"

__attribute__((visibility("hidden"))) const uint64_t count_toggle[6] = {ccg_toggle_collect};

int trace_true(CSOUND *csound, void *block, SUBR function);
int trace_high_0(CSOUND *csound, void *block, SUBR function, const char *low);
extern const char trace_low_0[];

// Whether the present caller is an init pass.
static int is_inside_init;

int count_pass(size_t record, int is_init, SUBR function, CSOUND *csound, void *block) {
  enum { bytes = 16 };
  size_t site = trace_site(record, is_init, is_inside_init);
  const char *high = (const char *)&trace_high_0 + site / TRACE_LOW_SITES * bytes;
  int was_inside_init = is_inside_init;
  is_inside_init = is_init;
  int status = ((int (*)(CSOUND *, void *, SUBR, const char *))high)(
      csound, block, function, trace_low_0 + site % TRACE_LOW_SITES * bytes);
  is_inside_init = was_inside_init;
  return status;
}

static void (*take_message)(CSOUND *, int, const char *);

// Called by `count_message`, which stops counting meanwhile.
__attribute__((visibility("hidden"))) int count_take_message(
    CSOUND *csound, int attributes, const char *text) {
  take_message(csound, attributes, text);
  return 0;
}

void count_message(CSOUND *csound, int attributes, const char *text);

void trace_set_aside_messages(void *engine, void *take) {
  take_message = (void (*)(CSOUND *, int, const char *))take;
  csoundSetMessageStringCallback(engine, count_message);
}

int trace_perform_counted(void *engine) {
  return trace_true(
      engine, NULL,
      (SUBR)(void *)(ccs_needs_calls(engine) ? ccs_perform_cycle : csoundPerformKsmps));
}
