#include <sys/mman.h>

#include "trace.h"

struct record *trace_records;
_Atomic size_t trace_record_count;

// The instruments and user-defined opcodes of the file, compiled before the trace was attached.
static const INSTRTXT **file_instruments;
static size_t file_instrument_count;

static inline size_t hash(size_t a, size_t b) {
  size_t mixed = (a ^ (b * 0x9E3779B97F4A7C15u)) * 0xBF58476D1CE4E5B9u;
  return mixed ^ (mixed >> 29);
}

static struct record **slot(
    struct thread *thread, const struct record *caller, const OPTXT *statement, const OPTXT *text,
    SUBR initialize, SUBR perform) {
  for (size_t at = hash((size_t)caller, (size_t)statement);; at++) {
    struct record **place = &thread->table[at & (thread->table_capacity - 1)];
    struct record *record = *place;
    if (record == NULL ||
        (record->caller == caller && record->statement == statement &&
         record->initialize == initialize && record->perform == perform &&
         // After a statement is freed, another one may have the same address.
         record->text.t.inlist == text->t.inlist && record->text.t.linenum == text->t.linenum))
      return place;
  }
}

static int grow(struct thread *thread) {
  if (2 * thread->table_count < thread->table_capacity) return 1;
  struct record **old = thread->table;
  size_t old_capacity = thread->table_capacity;
  size_t capacity = old_capacity == 0 ? 1024 : 2 * old_capacity;
  struct record **table = calloc(capacity, sizeof *table);
  if (table == NULL) return 0;
  thread->table = table;
  thread->table_capacity = capacity;
  for (size_t at = 0; at < old_capacity; at++)
    if (old[at] != NULL)
      *slot(
          thread, old[at]->caller, old[at]->statement, &old[at]->text, old[at]->initialize,
          old[at]->perform) = old[at];
  free(old);
  return 1;
}

// The index of an instrument in `file_instruments`, or -1.
static ptrdiff_t file_place(const INSTRTXT *instrument) {
  for (size_t index = 0; index < file_instrument_count; index++)
    if (file_instruments[index] == instrument) return (ptrdiff_t)index;
  return -1;
}

static int may_compile(const char *name) {
  return strncmp(name, "compile", 7) == 0 || strncmp(name, "eval", 4) == 0;
}

static char *joined(const ARGLST *list) {
  size_t size = 1;
  for (int index = 0; list != NULL && index < list->count; index++)
    size += strlen(list->arg[index]) + 1;
  char *names = calloc(size, 1);
  for (int index = 0; names != NULL && list != NULL && index < list->count; index++) {
    if (index > 0) strcat(names, TRACE_SEPARATOR);
    strcat(names, list->arg[index]);
  }
  return names;
}

static void describe(struct record *record, const INSDS *instance) {
  const TEXT *text = &record->text.t;
  const INSTRTXT *instrument = instance->instr;
  record->instrument = instrument;
  record->instrument_number = instance->insno;
  record->ksmps = instance->ksmps;
  record->opcode = strdup(text->oentry->opname);
  record->outputs = joined(text->outlist);
  record->inputs = joined(text->inlist);
  if (instrument == NULL) return;
  if (instrument->insname != NULL) record->name = strdup(instrument->insname);
  record->is_user_opcode = instrument->opcode_info != NULL;
  record->body = file_place(instrument);
  record->is_late = record->body < 0;
  for (const OPTXT *other = instrument->nxtop; other != NULL && other != record->statement;
       other = other->nxtop)
    record->index++;
}

struct record *trace_place(
    struct thread *thread, OPDS *block, SUBR initialize_function, SUBR perform_function) {
  uint64_t start = cv_counter();
  const OPTXT *text = block->optext;
  const OPTXT *statement = is_record(text) ? ((const struct record *)text)->statement : text;
  if (!grow(thread)) return NULL;
  struct record **found =
      slot(thread, thread->current, statement, text, initialize_function, perform_function);
  if (*found == NULL) {
    size_t number = trace_record_count++;
    if (number >= most_records) {
      trace_record_count--;
      return NULL;
    }
    struct record *record = &trace_records[number];
    record->text = *text;
    record->caller = thread->current;
    record->statement = statement;
    record->initialize = initialize_function;
    record->perform = perform_function;
    record->thread = thread->number;
    record->compiles = may_compile(text->t.oentry->opname);
    record->cycle = UINT64_MAX;
    record->span = trace_span;
    describe(record, block->insdshead);
    *found = record;
    thread->table_count++;
  }
  block->optext = &(*found)->text;
  uint64_t elapsed = cv_counter() - start;
  thread->last += elapsed;
  thread->recording += elapsed;
  thread->cycle_exact += elapsed;
  return *found;
}

// ---- Sums

static void add(struct pass_sums *sums, const struct pass_sums *more) {
  sums->passes += more->passes;
  sums->ticks += more->ticks;
  sums->entries += more->entries;
  sums->repeats += more->repeats;
}

static void end_span_of(struct record *record) {
  if (!trace_was_disturbed(record->span)) {
    for (size_t kind = 0; kind < kinds; kind++)
      add(&record->in_stratum[kind], &record->in_span[kind]);
    record->worst = larger(record->worst, record->span_worst);
  }
  memset(record->in_span, 0, sizeof record->in_span);
  record->span_worst = 0;
  record->span = trace_span;
}

void trace_end_cycle_of(struct record *record) {
  add(&record->in_span[trace_kind(record->cycle)], &record->in_cycle);
  record->in_cycle = (struct pass_sums){0};
  record->cycle = trace_cycle;
  record->cycle_ticks = 0;
  if (record->span != trace_span) end_span_of(record);
}

void trace_weigh_records(const struct weighing *weighing) {
  const struct trace_cost *cost = &weighing->cost;
  for (size_t index = 0; index < trace_record_count; index++) {
    struct record *record = &trace_records[index];
    trace_end_cycle_of(record);
    if (record->span != trace_span) end_span_of(record);
    double own = 0;
    for (size_t kind = 0; kind < kinds; kind++) {
      const struct pass_sums *sums = &record->in_stratum[kind];
      if (sums->passes == 0) continue;
      double weight = weighing->weights[kind];
      double tracing =
          (double)sums->passes * cost->pass + (double)sums->entries * cost->entering +
          (double)sums->repeats * cost->repeating;
      record->estimate.timed += sums->passes;
      record->estimate.passes += weight * (double)sums->passes;
      record->estimate.ticks += weight * (double)sums->ticks;
      record->estimate.tracing += weight * tracing;
      own += weight * ((double)sums->ticks - tracing);
    }
    if (weighing->is_comparable) {
      double change = own - record->stratum_ticks;
      record->squared_changes += change * change;
      record->common_changes += change * weighing->change;
    }
    record->stratum_ticks = own;
    memset(record->in_stratum, 0, sizeof record->in_stratum);
  }
}

// ---- Memory

int trace_remember_instruments(void) {
  INSTRTXT **list = trace_engine_traced->GetInstrumentList(trace_engine_traced);
  size_t count = 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt) count++;
  file_instruments = calloc(count + 1, sizeof *file_instruments);
  if (file_instruments == NULL) return 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt)
    file_instruments[file_instrument_count++] = text;
  return 1;
}

int trace_allocate_records(void) {
  if (trace_records != NULL) return 1;
  void *memory = mmap(
      NULL, most_records * sizeof(struct record), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  trace_records = memory;
  return 1;
}

void trace_forget_records(void) {
  for (size_t index = 0; index < trace_record_count; index++) {
    free(trace_records[index].opcode);
    free(trace_records[index].outputs);
    free(trace_records[index].inputs);
    free(trace_records[index].name);
  }
  if (trace_records != NULL) munmap(trace_records, most_records * sizeof(struct record));
  trace_records = NULL;
  trace_record_count = 0;
  free(file_instruments);
  file_instruments = NULL;
  file_instrument_count = 0;
}

// ---- Results

size_t trace_calls(struct trace_call *calls, size_t capacity) {
  for (size_t index = 0; index < trace_record_count && index < capacity; index++) {
    const struct record *record = &trace_records[index];
    calls[index] = (struct trace_call){
        .caller = is_record(record->caller) ? record->caller - trace_records : -1,
        .opcode = record->opcode,
        .outputs = record->outputs,
        .inputs = record->inputs,
        .line = record->text.t.linenum,
        .location = record->text.t.locn,
        .is_late = record->is_late,
        .statement = record->statement,
        .index = record->index,
        .instrument = {record->instrument, record->name, record->instrument_number,
                       record->is_user_opcode, record->body},
        .passes = record->passes,
        .estimate = record->estimate,
        .sampling_error = trace_sampling_error(record),
        .worst = record->worst,
        .ksmps = record->ksmps,
        .inits = record->inits,
        .init_ticks = record->init_ticks,
        .worst_init = record->worst_init,
        .thread = record->thread};
  }
  return trace_record_count;
}
