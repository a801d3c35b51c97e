#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "FlightState.h"

#define INIT(block) (*ccs_block_initialize(block))
#define PERFORM(block) (*ccs_block_perform(block))

// What a thread is doing.
struct now {
  struct flight *flight;
  // The k-cycle that this is about, its begin, and the end of what was charged last.
  uint64_t cycle, begin, last;
  // The instrument whose notes perform, from `note_begin`; 0 if none does. The note that starts.
  int note;
  uint64_t note_begin;
  const INSDS *starting;
  uint64_t start_begin, start_end;
  // How many passes this is inside of.
  int depth;
};
static __thread struct now now __attribute__((tls_model("initial-exec")));

static struct flight *engines[most_engines];

// In a k-cycle the thread knows its recorder. Elsewhere, as when a piece starts, and in threads of -j it is looked for
// each time, so that nothing remembers a recorder that is freed.
static struct flight *flight_of(CSOUND *csound) {
  if (__builtin_expect(now.flight != NULL && now.flight->engine == csound, 1)) return now.flight;
  for (size_t index = 0; index < most_engines; index++) {
    struct flight *flight = __atomic_load_n(&engines[index], __ATOMIC_ACQUIRE);
    if (flight != NULL && flight->engine == csound) return flight;
  }
  return NULL;
}

static void emit(
    struct flight *flight, enum flight_kind kind, uint64_t begin, uint64_t end, int instrument,
    size_t opcode, uint32_t line) {
  uint64_t number = __atomic_fetch_add(&flight->head, 1, __ATOMIC_RELAXED);
  struct flight_event *event = &flight->ring[number & (flight->capacity - 1)];
  __atomic_store_n(&event->number, 0, __ATOMIC_RELEASE);
  event->begin = begin;
  event->end = end;
  event->line = line;
  event->instrument = (uint16_t)instrument;
  event->opcode = (uint16_t)opcode;
  event->kind = kind;
  __atomic_store_n(&event->number, number + 1, __ATOMIC_RELEASE);
}

// ---- Opcodes

static size_t mixed(const void *pointer) {
  size_t mixed = (size_t)pointer * 0xBF58476D1CE4E5B9u;
  return mixed ^ (mixed >> 29);
}

static struct opcode *known_opcode(const struct flight *flight, const OENTRY *entry) {
  for (size_t at = mixed(entry);; at++) {
    struct opcode *opcode = &flight->opcodes[at & (flight->opcode_capacity - 1)];
    if (opcode->entry == entry || opcode->entry == NULL) return opcode;
  }
}

// The opcode of a block. An entry that was copied since, as when an opcode is redefined, is found by its name.
static const struct opcode *opcode_of(const struct flight *flight, const OPDS *block) {
  const OENTRY *entry = block->optext->t.oentry;
  const struct opcode *found = known_opcode(flight, entry);
  if (__builtin_expect(found->entry != NULL, 1)) return found;
  for (size_t index = 0; index < flight->opcode_capacity; index++) {
    const struct opcode *other = &flight->opcodes[index];
    if (other->entry != NULL && strcmp(other->name, entry->opname) == 0) return other;
  }
  return NULL;
}

static int initialize(CSOUND *csound, void *block);
static int perform(CSOUND *csound, void *block);
static int perform_first(CSOUND *csound, void *block);

// Opcodes that Csound recognises by their functions, or never calls.
static int is_left_alone(const OENTRY *entry) {
  static const char *const names[] = {"instr", "endin", "endop", "$label"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++)
    if (strcmp(entry->opname, names[index]) == 0) return 1;
  return strstr(entry->opname, "rireturn") != NULL;
}

static void take_opcode(struct flight *flight, OENTRY *entry, int calls) {
  struct opcode *opcode = known_opcode(flight, entry);
  if (is_left_alone(entry) || opcode->entry != NULL) return;
  *opcode = (struct opcode){
      entry, *ccs_entry_initialize(entry), *ccs_entry_perform(entry), strdup(entry->opname)};
  if (opcode->initialize != NULL) *ccs_entry_initialize(entry) = initialize;
  if (opcode->perform != NULL && calls) *ccs_entry_perform(entry) = perform;
}

static int take_opcodes(struct flight *flight, int calls) {
  INSTRTXT **list = flight->engine->GetInstrumentList(flight->engine);
  size_t count = 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt)
    for (OPTXT *statement = text->nxtop; statement != NULL; statement = statement->nxtop) count++;
  for (flight->opcode_capacity = 64; flight->opcode_capacity < 2 * count;)
    flight->opcode_capacity *= 2;
  flight->opcodes = calloc(flight->opcode_capacity, sizeof *flight->opcodes);
  if (flight->opcodes == NULL) return 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt)
    for (OPTXT *statement = text->nxtop; statement != NULL; statement = statement->nxtop)
      if (statement->t.oentry != NULL) take_opcode(flight, statement->t.oentry, calls);
  return 1;
}

// ---- The first block of each note

static struct first *find_first(struct flight *flight, const OPDS *block) {
  for (size_t at = mixed(block);; at++) {
    struct first *first = &flight->firsts[at & (first_places - 1)];
    if (first->block == block || first->block == NULL) return first;
  }
}

// Replaces the function of a note's first block, after init passes of the note.
static void take_first(struct flight *flight, INSDS *note) {
  OPDS *block = note->nxtp;
  if (block == NULL || PERFORM(block) == NULL || PERFORM(block) == perform_first) return;
  struct first *first = find_first(flight, block);
  if (first->block == NULL) {
    if (flight->first_count >= first_places / 2) return;
    flight->first_count++;
    first->block = block;
  }
  first->perform = PERFORM(block);
  PERFORM(block) = perform_first;
}

static void name_instrument(struct flight *flight, const INSDS *note) {
  char *name = flight->names[note->insno];
  if (name[0] != 0 || note->instr == NULL || note->instr->insname == NULL) return;
  strncpy(name, note->instr->insname, name_bytes - 1);
}

// Ends the share of the instrument that performs.
static void end_note(struct flight *flight, uint64_t time) {
  if (now.note == 0) return;
  uint64_t elapsed = time - now.note_begin;
  uint64_t *sum = &flight->ticks[now.note];
  __atomic_store_n(sum, __atomic_load_n(sum, __ATOMIC_RELAXED) + elapsed, __ATOMIC_RELAXED);
  if (elapsed >= flight->note_threshold)
    emit(flight, flight_note, now.note_begin, time, now.note, 0, 0);
  now.note = 0;
  now.last = time;
}

static void end_start(struct flight *flight) {
  if (now.starting == NULL) return;
  emit(flight, flight_start, now.start_begin, now.start_end, now.starting->insno, 0, 0);
  now.starting = NULL;
}

// A pass outside of all others begins: what the engine did before it is the engine's.
static void begin_outer(struct flight *flight, uint64_t time) {
  // A thread of -j meets the k-cycle with its first pass.
  if (__builtin_expect(now.cycle != flight->cycle, 0)) {
    now.cycle = flight->cycle;
    now.note = 0;
    now.last = time;
  }
  if (now.note == 0 && time - now.last >= flight->pass_threshold)
    emit(flight, flight_engine, now.last, time, 0, 0, 0);
}

static inline int is_known(const INSDS *note) {
  return note->insno > 0 && note->insno < flight_instruments;
}

static int perform_first(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  struct flight *flight = flight_of(csound);
  SUBR function = find_first(flight, block)->perform;
  const INSDS *note = block->insdshead;
  // Csound performs the notes of an instrument one after another.
  if (now.note != note->insno || now.cycle != flight->cycle) {
    uint64_t time = cv_counter();
    end_start(flight);
    begin_outer(flight, time);
    end_note(flight, time);
    now.note = is_known(note) ? note->insno : 0;
    now.note_begin = time;
  }
  int status = function(csound, block);
  // The pass may have chosen another function for the next ones.
  if (__builtin_expect(PERFORM(block) != perform_first, 0)) take_first(flight, block->insdshead);
  return status;
}

// ---- Passes

static int initialize(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  struct flight *flight = flight_of(csound);
  const struct opcode *opcode = flight != NULL ? opcode_of(flight, block) : NULL;
  if (opcode == NULL) return 0;
  INSDS *note = block->insdshead;
  int starts = now.depth == 0 && note->reinitflag == 0 && is_known(note);
  uint64_t begin = cv_counter();
  if (starts) {
    begin_outer(flight, begin);
    end_note(flight, begin);
    if (now.starting != note) {
      end_start(flight);
      name_instrument(flight, note);
      now.starting = note;
      now.start_begin = begin;
    }
  }
  now.depth++;
  int status = opcode->initialize(csound, block);
  now.depth--;
  uint64_t end = cv_counter();
  if (end - begin >= flight->pass_threshold)
    emit(flight, flight_init, begin, end, note->insno, (size_t)(opcode - flight->opcodes),
         block->optext->t.linenum);
  if (starts) {
    now.start_end = now.last = end;
    take_first(flight, note);
  } else if (now.depth == 0 && note->nxtp != NULL && find_first(flight, note->nxtp)->block != NULL) {
    // A reinit may have set the note's first function anew.
    take_first(flight, note);
  }
  return status;
}

static int perform(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  struct flight *flight = flight_of(csound);
  const struct opcode *opcode = opcode_of(flight, block);
  uint64_t begin = cv_counter();
  int status = opcode->perform(csound, block);
  uint64_t end = cv_counter();
  if (end - begin >= flight->pass_threshold)
    emit(flight, flight_call, begin, end, block->insdshead->insno,
         (size_t)(opcode - flight->opcodes), block->optext->t.linenum);
  return status;
}

// ---- k-cycles

void flight_begin_cycle(struct flight *flight) {
  uint64_t cycle = __atomic_add_fetch(&flight->cycle, 1, __ATOMIC_RELAXED);
  uint64_t time = cv_counter();
  now = (struct now){.flight = flight, .cycle = cycle, .begin = time, .last = time};
}

void flight_end_cycle(struct flight *flight) {
  uint64_t time = cv_counter();
  end_start(flight);
  if (now.note == 0 && time - now.last >= flight->pass_threshold)
    emit(flight, flight_engine, now.last, time, 0, 0, 0);
  end_note(flight, time);
  emit(flight, flight_cycle, now.begin, time, 0, 0, 0);
  now.flight = NULL;
}

// ---- Memory

static void *map(size_t bytes) {
  void *memory = mmap(
      NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

struct flight *flight_attach(void *engine, int calls, size_t capacity) {
  struct flight *flight = map(sizeof *flight);
  struct flight_event *ring = map(capacity * sizeof *ring);
  size_t place = 0;
  while (place < most_engines && engines[place] != NULL) place++;
  if (flight == NULL || ring == NULL || place == most_engines) {
    if (flight != NULL) munmap(flight, sizeof *flight);
    if (ring != NULL) munmap(ring, capacity * sizeof *ring);
    return NULL;
  }
  flight->engine = engine;
  flight->ring = ring;
  flight->capacity = capacity;
  flight->start_time = monotonic();
  flight->start_ticks = cv_counter();
  // Long enough to know the counter's rate to a part in a thousand, which the thresholds need.
  while (monotonic() - flight->start_time < 1000000) cv_wait_a_little();
  double cycle = csoundGetKsmps(engine) / ccs_engine_sample_rate(engine);
  // A note's share of a k-cycle, and a pass of an opcode.
  double note = cycle / (calls ? 64 : 16), pass = cycle / (calls ? 256 : 32);
  if (pass > 50e-6) pass = 50e-6;
  double rate = flight_rate(flight);
  flight->note_threshold = (uint64_t)(rate * note);
  flight->pass_threshold = (uint64_t)(rate * (pass > 2e-6 ? pass : 2e-6));
  if (!take_opcodes(flight, calls)) {
    flight_free(flight);
    return NULL;
  }
  __atomic_store_n(&engines[place], flight, __ATOMIC_RELEASE);
  return flight;
}

void flight_free(struct flight *flight) {
  for (size_t index = 0; index < most_engines; index++)
    if (engines[index] == flight) __atomic_store_n(&engines[index], NULL, __ATOMIC_RELEASE);
  for (size_t index = 0; flight->opcodes != NULL && index < flight->opcode_capacity; index++)
    free(flight->opcodes[index].name);
  free(flight->opcodes);
  munmap(flight->ring, flight->capacity * sizeof *flight->ring);
  munmap(flight, sizeof *flight);
}
