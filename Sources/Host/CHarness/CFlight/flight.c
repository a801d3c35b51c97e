#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "FlightState.h"

#define INIT(block) (*ccs_block_initialize(block))
#define PERFORM(block) (*ccs_block_perform(block))

static __thread struct now now __attribute__((tls_model("initial-exec")));

struct flight *flight_engines[most_engines];

static struct flight *flight_of(CSOUND *csound) {
  if (__builtin_expect(now.flight != NULL && now.flight->engine == csound, 1)) return now.flight;
  for (size_t index = 0; index < most_engines; index++) {
    struct flight *flight = __atomic_load_n(&flight_engines[index], __ATOMIC_ACQUIRE);
    if (flight != NULL && flight->engine == csound) return flight;
  }
  return NULL;
}

// The recorder of a thread that performs. One of -j, which ends before its engine does, looks for it once.
static inline struct flight *performing(CSOUND *csound) {
  if (__builtin_expect(now.flight == NULL || now.flight->engine != csound, 0)) {
    struct flight *flight = flight_of(csound);
    unsigned thread = 1 + __atomic_fetch_add(&flight->threads, 1, __ATOMIC_RELAXED);
    now = (struct now){.flight = flight, .thread = thread, .weight = 1, .threshold = flight->pass_threshold};
  }
  return now.flight;
}

static void emit(
    struct flight *flight, enum flight_kind kind, uint64_t begin, uint64_t end, int instrument,
    size_t opcode, uint32_t line) {
  uint64_t number = add(flight, &flight->head, 1);
  struct flight_event *event = &flight->ring[number & (flight->capacity - 1)];
  __atomic_store_n(&event->number, 0, __ATOMIC_RELEASE);
  event->begin = begin;
  event->end = end;
  event->line = line;
  event->instrument = (uint16_t)instrument;
  event->opcode = (uint16_t)opcode;
  event->kind = (uint16_t)kind;
  event->thread = (uint16_t)now.thread;
  __atomic_store_n(&event->number, number + 1, __ATOMIC_RELEASE);
}

// What is between two notes, if it is long: with -j a wait for other threads, else the engine's own work.
static void emit_between(struct flight *flight, uint64_t end) {
  if (end < now.last + flight->pass_threshold) return;
  int waits = now.thread > 0 || (flight->is_threaded && now.has_performed);
  emit(flight, waits ? flight_wait : flight_engine, now.last, end, 0, 0, 0);
}

// ---- Opcodes

// The opcode of a block. An entry that was copied since, as when an opcode is redefined, is found by its name.
static const struct opcode *opcode_of(const struct flight *flight, const OPDS *block) {
  const OENTRY *entry = block->optext->t.oentry;
  const struct opcode *found = known_opcode(flight, entry);
  if (__builtin_expect(found->entry != NULL, 1)) return found;
  for (size_t index = 1; index <= flight->opcode_capacity; index++) {
    const struct opcode *other = &flight->opcodes[index];
    if (other->entry != NULL && strcmp(other->name, entry->opname) == 0) return other;
  }
  return NULL;
}

static int initialize(CSOUND *csound, void *block);
static int perform(CSOUND *csound, void *block);
static int perform_first(CSOUND *csound, void *block);
static int perform_own(CSOUND *csound, void *block);

// Opcodes that Csound recognises by their functions, or never calls.
static int is_left_alone(const OENTRY *entry) {
  static const char names[] = " instr endin endop $label ";
  const char *name = entry->opname, *found = strstr(names, name);
  return (found > names && found[-1] == ' ' && found[strlen(name)] == ' ') || strstr(name, "rireturn");
}

static void take_opcode(struct flight *flight, OENTRY *entry) {
  struct opcode *opcode = known_opcode(flight, entry);
  if (is_left_alone(entry) || opcode->entry != NULL) return;
  *opcode = (struct opcode){
      entry, *ccs_entry_initialize(entry), *ccs_entry_perform(entry), strdup(entry->opname)};
  if (opcode->initialize != NULL) *ccs_entry_initialize(entry) = initialize;
  if (opcode->perform != NULL) *ccs_entry_perform(entry) = perform;
}

int flight_take_opcodes(struct flight *flight) {
  INSTRTXT **list = flight->engine->GetInstrumentList(flight->engine);
  size_t count = 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt)
    for (OPTXT *statement = text->nxtop; statement != NULL; statement = statement->nxtop) count++;
  // Events number them in 16 bits, which is more than there are opcodes.
  for (flight->opcode_capacity = 64; flight->opcode_capacity < 2 * count && flight->opcode_capacity < 1 << 15;)
    flight->opcode_capacity *= 2;
  flight->opcodes = calloc(flight->opcode_capacity + 1, sizeof *flight->opcodes);
  if (flight->opcodes == NULL) return 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt)
    for (OPTXT *statement = text->nxtop; statement != NULL; statement = statement->nxtop)
      if (statement->t.oentry != NULL) take_opcode(flight, statement->t.oentry);
  return 1;
}

// Sets in one k-cycle of how many passes are recorded, so that it costs 1 % of the time of k-cycles that take as much as
// these. Putting the functions in their places, too, costs half as much as recording.
static void set_rest(struct flight *flight, uint64_t calls, uint64_t ticks) {
  uint64_t rest = 64;
  while (rest < 512 && rest * ticks < 800 * calls * flight->call_ticks) rest *= 2;
  __atomic_store_n(&flight->rest, rest, __ATOMIC_RELAXED);
}

// Gives the opcodes their functions back. Blocks that have `perform` lose it with their next pass.
static void leave_calls(struct flight *flight) {
  for (size_t index = 1; index <= flight->opcode_capacity; index++) {
    const struct opcode *opcode = &flight->opcodes[index];
    if (opcode->perform != NULL) *ccs_entry_perform(opcode->entry) = opcode->perform;
  }
  set_rest(flight, flight->calls, flight->ticks_in_cycles);
}

// ---- The first block of each note

static struct first *find_first(struct flight *flight, const OPDS *block) {
  for (size_t at = mixed(block);; at++) {
    struct first *first = &flight->firsts[at & (first_places - 1)];
    if (first->block == block || first->block == NULL) return first;
  }
}

// Replaces the function of a block by one of two: for blocks that have their opcode's function, and for those whose init
// pass has chosen another.
static void take_block(struct flight *flight, OPDS *block, SUBR usual, SUBR own) {
  if (PERFORM(block) == *ccs_entry_perform(block->optext->t.oentry)) {
    PERFORM(block) = usual;
    return;
  }
  struct first *first = find_first(flight, block);
  if (first->block == NULL) {
    if (flight->first_count >= first_places / 2) return;
    flight->first_count++;
    first->block = block;
  }
  first->perform = PERFORM(block);
  PERFORM(block) = own;
}

// Replaces the function of a note's first block, after init passes of the note.
static void take_first(struct flight *flight, INSDS *note) {
  OPDS *block = note->nxtp;
  if (block == NULL || PERFORM(block) == NULL || PERFORM(block) == perform_first ||
      PERFORM(block) == perform_own)
    return;
  take_block(flight, block, perform_first, perform_own);
}

static void name_instrument(struct flight *flight, const INSDS *note) {
  char *name = flight->names[note->insno];
  flight->texts[note->insno] = note->instr;
  if (name[0] != 0 || note->instr == NULL || note->instr->insname == NULL) return;
  strncpy(name, note->instr->insname, name_bytes - 1);
}

// Ends the share of the instrument that performs.
static void end_note(struct flight *flight, uint64_t time) {
  if (now.note == 0) return;
  uint64_t elapsed = time > now.note_begin ? time - now.note_begin : 0;
  add(flight, &flight->ticks[now.note], elapsed * now.weight);
  if (elapsed >= flight->note_threshold)
    emit(flight, flight_note, now.note_begin, time, now.note, 0, 0);
  now.note = 0;
  now.last = time;
  now.text = NULL;
}

static void end_start(struct flight *flight) {
  if (now.starting == NULL) return;
  emit(flight, flight_start, now.start_begin, now.start_end, now.starting->insno, 0, 0);
  now.starting = NULL;
}

// A pass outside of all others begins.
static void begin_outer(struct flight *flight, uint64_t time) {
  if (__builtin_expect(now.cycle != flight->cycle, 0)) {
    // A thread of -j meets the k-cycle with its first pass. It has waited since the end of its last one.
    end_note(flight, now.last);
    if (now.cycle != 0) emit_between(flight, flight->cycle_end);
    now.cycle = flight->cycle;
    now.last = flight->cycle_begin;
  }
  // With -j a note ends with its last pass, as what follows may be a wait.
  if (flight->is_threaded) end_note(flight, now.last);
  if (now.note == 0) emit_between(flight, time);
}

static inline int is_known(const INSDS *note) {
  return note->insno > 0 && note->insno < flight_instruments;
}

// Csound performs the notes of an instrument one after another; with -j each one is recorded.
static void enter(struct flight *flight, const INSDS *note) {
  if (now.weight == 0) return;
  if (!flight->has_each_note && now.note == note->insno && now.cycle == flight->cycle) return;
  uint64_t time = cv_counter();
  end_start(flight);
  begin_outer(flight, time);
  end_note(flight, time);
  now.note = is_known(note) ? note->insno : 0;
  now.note_begin = time;
  now.has_performed = 1;
}

// Records the pass of a block by its function.
static inline int record(struct flight *flight, CSOUND *csound, OPDS *block, SUBR function) {
  const struct opcode *opcode = opcode_of(flight, block);
  now.inside++;
  uint64_t begin = cv_counter();
  int status = function(csound, block);
  uint64_t end = cv_counter();
  // A pass within another one is in that one's line.
  if (--now.inside == 0) add_to_line(flight, block, opcode, end - begin);
  now.calls++;
  if (end - begin >= now.threshold)
    emit(flight, flight_call, begin, end, block->insdshead->insno,
         opcode != NULL ? (size_t)(opcode - flight->opcodes) : 0, block->optext->t.linenum);
  if (flight->is_threaded) now.last = end;
  return status;
}

// A block has its own function back with the pass that is recorded.
static inline int record_once(CSOUND *csound, OPDS *block, SUBR function) {
  struct flight *flight = performing(csound);
  PERFORM(block) = function;
  return now.samples ? record(flight, csound, block, function) : function(csound, block);
}

static int perform_once(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  return record_once(csound, block, *ccs_entry_perform(block->optext->t.oentry));
}

static int perform_own_once(CSOUND *csound, void *block) {
  return record_once(csound, block, find_first(performing(csound), block)->perform);
}

// Performs the first block of a note. In some k-cycles it takes the note's other blocks, too.
static int begin_note(struct flight *flight, CSOUND *csound, OPDS *block, SUBR function) {
  if (__builtin_expect(!now.samples, 1)) return function(csound, block);
  for (OPDS *other = block->nxtp; other != NULL; other = other->nxtp) {
    SUBR own = PERFORM(other);
    if (own != NULL && own != perform && own != perform_once && own != perform_own_once)
      take_block(flight, other, perform_once, perform_own_once);
  }
  return record(flight, csound, block, function);
}

static int perform_first(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  const OPTXT *text = block->optext;
  if (__builtin_expect(text == now.text, 1)) return now.function(csound, block);
  struct flight *flight = performing(csound);
  enter(flight, block->insdshead);
  SUBR function = *ccs_entry_perform(text->t.oentry);
  // In this k-cycle the instrument's other notes need not look.
  if (!flight->has_each_note && !now.samples) (now.text = text, now.function = function);
  return begin_note(flight, csound, block, function);
}

static int perform_own(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  struct flight *flight = performing(csound);
  enter(flight, block->insdshead);
  return begin_note(flight, csound, block, find_first(flight, block)->perform);
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
  // Loops run short init passes by the thousand: in a loop each is recorded a few times only.
  if (block <= now.passed && end - begin < flight->pass_threshold) {
    const OPDS **targets = now.targets;
    if (targets[0] == block || targets[1] == block || targets[2] == block || targets[3] == block)
      INIT(block) = opcode->initialize;
    else
      targets[now.target_count++ % 4] = block;
  }
  now.passed = block;
  if (end - begin >= flight->pass_threshold)
    emit(flight, flight_init, begin, end, note->insno, (size_t)(opcode - flight->opcodes),
         block->optext->t.linenum);
  if (starts) now.start_end = now.last = end;
  // Also after a reinit, which may have set the note's first function anew.
  if (now.depth == 0 && is_known(note)) take_first(flight, note);
  return status;
}

static int perform(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  struct flight *flight = performing(csound);
  const struct opcode *opcode = opcode_of(flight, block);
  if (__builtin_expect(flight->rest, 0)) {
    if (PERFORM(block) == perform) PERFORM(block) = opcode->perform;
    return opcode->perform(csound, block);
  }
  return record(flight, csound, block, opcode->perform);
}

// ---- k-cycles

// Records passes of opcodes in some k-cycles only where they would cost more than 3 % of the time of the piece: 2 % by the
// cost that was measured in a loop, which is a third of that in a piece. Judges by the last 20 ms of performing, the last
// ones counting most; in the first 20 ms as soon as recording has cost 2 % of them.
// Raises the thresholds while the ring would not hold `flight_seconds`.
static void judge(struct flight *flight) {
  uint64_t cost = 50 * flight->calls * flight->call_ticks, ticks = flight->ticks_in_cycles;
  uint64_t enough = flight->judged_ticks;
  if (!flight->is_threaded && !flight->rest && cost > ticks && cost > enough) leave_calls(flight);
  if (ticks > enough) (flight->calls /= 2, flight->ticks_in_cycles /= 2);
  uint64_t events = flight->head - flight->judged_head, room = flight->judged_room;
  int shift = flight->shift;
  if (events > room && shift < 10) shift++;
  if (events < room / 4 && shift > 0) shift--;
  flight->pass_threshold = flight->pass_threshold >> flight->shift << shift;
  flight->note_threshold = flight->note_threshold >> flight->shift << shift;
  flight->shift = shift;
  flight->judged_head = flight->head;
}

void flight_begin_cycle(struct flight *flight) {
  uint64_t cycle = flight->cycle + 1;
  __atomic_store_n(&flight->cycle, cycle, __ATOMIC_RELAXED);
  uint64_t time = cv_counter();
  // Of k-cycles that take so little, notes are measured in one of four, too.
  int is_short = flight->rest && 32 * (flight->cycle_end - flight->cycle_begin) < flight->cycle_ticks;
  flight->cycle_begin = time;
  int samples = flight->rest && cycle % flight->rest == 0;
  now = (struct now){
      .flight = flight, .cycle = cycle, .begin = time, .last = time, .samples = samples,
      .weight = !is_short ? 1 : cycle % 4 ? 0 : 4,
      .threshold = flight->pass_threshold / (samples ? 16 : 1)};
}

void flight_end_cycle(struct flight *flight) {
  uint64_t time = cv_counter();
  end_start(flight);
  if (flight->is_threaded) end_note(flight, now.last);
  // Where notes are not measured this has them, too, unless it is much longer than they were.
  if (now.note == 0 && (now.weight || time > now.last + flight->cycle_ticks / 4))
    emit_between(flight, time);
  end_note(flight, time);
  emit(flight, flight_cycle, now.begin, time, 0, 0, (uint32_t)now.samples);
  if (now.samples) set_rest(flight, now.calls, time - now.begin);
  if (now.samples || !flight->rest) flight->line_ticks += time - now.begin;
  flight->cycle_end = time;
  flight->ticks_in_cycles += time - now.begin;
  flight->calls += now.calls;
  if (!flight->is_whole && flight->cycle % judged_cycles == 0) judge(flight);
  now = (struct now){0};
}
