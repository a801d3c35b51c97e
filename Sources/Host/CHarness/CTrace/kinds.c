#include "trace.h"

// A few k-cycles may take most of the time, for example those in which spectra are computed or many notes start.
// How many of them are timed is random. But the duration of every k-cycle is known, and so is the number of k-cycles
// of each kind: the timed k-cycles of a kind represent all of that kind. `usual_ticks` tracks the median duration.
static double usual_ticks;
enum { remembered_cycles = 1 << 12 };
static uint8_t kind_of_cycle[remembered_cycles];

size_t trace_kind(uint64_t cycle) { return kind_of_cycle[cycle % remembered_cycles]; }

size_t trace_tell_kind(double ticks) {
  if (usual_ticks == 0) usual_ticks = ticks;
  usual_ticks *= ticks > usual_ticks ? 1 + 1.0 / 64 : 1 - 1.0 / 64;
  static const double bounds[kinds - 1] = {2, 8, 64, 512};
  size_t kind = 0;
  while (kind < kinds - 1 && ticks >= bounds[kind] * usual_ticks) kind++;
  return kind_of_cycle[trace_cycle % remembered_cycles] = (uint8_t)kind;
}

void trace_forget_kinds(void) {
  memset(kind_of_cycle, 0, sizeof kind_of_cycle);
  usual_ticks = 0;
}
