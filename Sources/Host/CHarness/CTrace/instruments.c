#include "trace.h"

struct instrument trace_instrument_list[most_instruments];
size_t trace_instrument_count;
static int lock;

struct instrument *trace_find_instrument(INSDS *instance) {
  struct instrument *list = trace_instrument_list;
  for (size_t index = 0; index < trace_instrument_count; index++)
    if (list[index].text == instance->instr) return &list[index];
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) cv_wait_a_little();
  size_t index = 0;
  while (index < trace_instrument_count && list[index].text != instance->instr) index++;
  struct instrument *instrument = NULL;
  if (index < most_instruments) {
    instrument = &list[index];
    if (index == trace_instrument_count) {
      instrument->stretches = calloc(most_stretches, sizeof *instrument->stretches);
      if (instrument->stretches != NULL) {
        instrument->number = instance->insno;
        if (instance->instr != NULL && instance->instr->insname != NULL)
          instrument->name = strdup(instance->instr->insname);
        instrument->text = instance->instr;
        __atomic_store_n(&trace_instrument_count, index + 1, __ATOMIC_RELEASE);
      } else {
        instrument = NULL;
      }
    }
  }
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  return instrument;
}

void trace_leave_instrument(struct thread *thread) {
  if (thread->instrument != NULL && thread->times)
    thread->instrument->ticks += thread->last - thread->instrument_start;
  thread->instrument = NULL;
}

uint64_t trace_count_notes(void) {
  INSTRTXT **list = trace_engine_traced->GetInstrumentList(trace_engine_traced);
  uint64_t all = 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt) {
    if (text->active <= 0 || text->opcode_info != NULL) continue;
    for (size_t index = 0; index < trace_instrument_count; index++) {
      struct instrument *instrument = &trace_instrument_list[index];
      if (instrument->text != text || instrument->number == 0) continue;
      instrument->most_notes = larger(instrument->most_notes, (uint64_t)text->active);
      all += (uint64_t)text->active;
    }
  }
  return all;
}

void trace_forget_instruments(void) {
  for (size_t index = 0; index < trace_instrument_count; index++) {
    free(trace_instrument_list[index].stretches);
    free(trace_instrument_list[index].name);
  }
  memset(trace_instrument_list, 0, sizeof trace_instrument_list);
  trace_instrument_count = 0;
}

size_t trace_instruments(struct trace_instrument *result, size_t capacity) {
  for (size_t index = 0; index < trace_instrument_count && index < capacity; index++) {
    const struct instrument *instrument = &trace_instrument_list[index];
    result[index] = (struct trace_instrument){
        {instrument->text, instrument->name, instrument->number, 0, -1}, instrument->notes_begun,
        instrument->most_notes, instrument->worst, instrument->stretches};
  }
  return trace_instrument_count;
}
