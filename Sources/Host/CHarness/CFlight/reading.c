#define _GNU_SOURCE
#include <string.h>

#include "FlightState.h"

// ---- Clocks

uint64_t flight_now(void) { return cv_counter(); }

double flight_rate(const struct flight *flight) {
  int64_t elapsed = monotonic() - flight->start_time;
  return (double)(cv_counter() - flight->start_ticks) / (double)elapsed * 1e9;
}

double flight_time(const struct flight *flight, uint64_t ticks) {
  double seconds = (double)(int64_t)(ticks - flight->start_ticks) / flight_rate(flight);
  return (double)flight->start_time + seconds * 1e9;
}

// ---- Reading

size_t flight_read(
    const struct flight *flight, uint64_t *from, struct flight_event *events, size_t capacity) {
  uint64_t head = __atomic_load_n(&flight->head, __ATOMIC_ACQUIRE);
  if (head > flight->capacity && *from < head - flight->capacity) *from = head - flight->capacity;
  size_t count = 0;
  for (; *from < head && count < capacity; ++*from) {
    const struct flight_event *event = &flight->ring[*from & (flight->capacity - 1)];
    uint64_t number = __atomic_load_n(&event->number, __ATOMIC_ACQUIRE);
    events[count] = *event;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (number == *from + 1 && __atomic_load_n(&event->number, __ATOMIC_RELAXED) == number) count++;
  }
  return count;
}

const char *flight_opcode(const struct flight *flight, size_t index) {
  return index <= flight->opcode_capacity ? flight->opcodes[index].name : NULL;
}

const char *flight_instrument(const struct flight *flight, size_t number) {
  return number < flight_instruments && flight->names[number][0] != 0 ? flight->names[number] : NULL;
}

uint64_t flight_rest(const struct flight *flight) {
  return __atomic_load_n(&flight->rest, __ATOMIC_RELAXED);
}

uint64_t flight_ticks(const struct flight *flight, uint64_t *ticks) {
  for (size_t index = 0; ticks != NULL && index < flight_instruments; index++)
    ticks[index] = __atomic_load_n(&flight->ticks[index], __ATOMIC_RELAXED);
  return __atomic_load_n(&flight->cycle, __ATOMIC_RELAXED);
}

size_t flight_lines(
    const struct flight *flight, struct flight_line *lines, size_t capacity, uint64_t *all) {
  size_t count = 0;
  *all = __atomic_load_n(&flight->line_ticks, __ATOMIC_RELAXED);
  for (size_t index = 0; index < line_places && count < capacity; index++) {
    uint64_t ticks = __atomic_load_n(&flight->lines[index].ticks, __ATOMIC_RELAXED);
    if (ticks == 0) continue;
    lines[count] = flight->lines[index].what;
    lines[count++].ticks = ticks;
  }
  return count;
}

// ---- What instruments share

void flight_shared(
    const struct flight *flight, size_t instrument,
    void (*take)(void *context, const char *name, enum flight_access access), void *context) {
  // Csound's flags of opcodes.
  static const struct { int flag; const char *name; enum flight_access access; } kinds[] = {
      {0x001, "the zak space", flight_reads}, {0x002, "the zak space", flight_writes},
      {0x008, "function tables", flight_reads}, {0x010, "function tables", flight_writes},
      {0x020, "channels", flight_reads}, {0x040, "channels", flight_writes},
      {0x100, "printing", flight_writes}, {0x200, "the outputs", flight_reads},
      {0x400, "the outputs", flight_writes}};
  const INSTRTXT *text = instrument < flight_instruments ? flight->texts[instrument] : NULL;
  for (const OPTXT *statement = text != NULL ? text->nxtop : NULL; statement != NULL;
       statement = statement->nxtop) {
    const TEXT *call = &statement->t;
    if (call->oentry == NULL || strcmp(call->oentry->opname, "endin") == 0) continue;
    int flags = call->oentry->flags;
    int writes = (flags & 4) && (call->outlist == NULL || call->outlist->count == 0);
    int adds = strncmp(call->oentry->opname, "##addin", 7) == 0 ||
               strncmp(call->oentry->opname, "##subin", 7) == 0;
    for (int i = 0; call->outlist != NULL && i < call->outlist->count; i++)
      if (call->outlist->arg[i][0] == 'g')
        take(context, call->outlist->arg[i], adds ? flight_adds : flight_writes);
    for (int i = 0; call->inlist != NULL && i < call->inlist->count; i++)
      if (call->inlist->arg[i][0] == 'g')
        take(context, call->inlist->arg[i], writes ? flight_writes : flight_reads);
    // Csound looks at the lower flags only beside a higher one.
    for (size_t kind = 0; (flags & 0xfff8) && kind < sizeof kinds / sizeof *kinds; kind++)
      if (flags & kinds[kind].flag) take(context, kinds[kind].name, kinds[kind].access);
  }
}
