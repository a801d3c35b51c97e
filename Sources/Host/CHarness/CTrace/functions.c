#define _GNU_SOURCE
#include <link.h>
#include <string.h>

#include "CTrace.h"
#include "Host.h"

// ---- The functions of opcodes

struct list {
  struct trace_function *functions;
  size_t count, capacity;
};

static void add(struct list *list, const char *opcode, SUBR function) {
  if (function == NULL) return;
  if (list->count < list->capacity)
    list->functions[list->count] = (struct trace_function){opcode, (uintptr_t)(void *)function};
  list->count++;
}

size_t trace_functions(void *engine, struct trace_function *functions, size_t capacity) {
  CSOUND *csound = engine;
  struct list list = {functions, 0, capacity};
  INSTRTXT **instruments = csound->GetInstrumentList(csound);
  INSTRTXT *text = instruments != NULL ? instruments[0] : NULL;
  for (; text != NULL; text = text->nxtinstxt) {
    for (const OPTXT *statement = text->nxtop; statement != NULL; statement = statement->nxtop) {
      const OENTRY *entry = statement->t.oentry;
      if (entry == NULL) continue;
      add(&list, entry->opname, *ccs_entry_initialize((OENTRY *)entry));
      add(&list, entry->opname, *ccs_entry_perform((OENTRY *)entry));
    }
    // An init pass may have chosen another function for its block.
    for (const INSDS *note = text->instance; note != NULL; note = note->nxtinstance)
      for (const OPDS *block = note->nxtp; block != NULL; block = block->nxtp)
        if (block->optext != NULL && block->optext->t.oentry != NULL)
          add(&list, block->optext->t.oentry->opname, *ccs_block_perform((void *)block));
  }
  return list.count;
}

// ---- The beginnings of functions, from the table for unwinding (.eh_frame_hdr), which stripped
// libraries have, too.

struct search {
  uint64_t address, *starts;
  size_t count, capacity;
  struct trace_object *object;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  const unsigned char *table = NULL;
  uint64_t begin = UINT64_MAX, end = 0;
  int holds = 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
    uint64_t start = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_GNU_EH_FRAME) table = (const unsigned char *)start;
    if (segment->p_type != PT_LOAD) continue;
    if (start < begin) begin = start;
    if (start + segment->p_memsz > end) end = start + segment->p_memsz;
    if (search->address >= start && search->address < start + segment->p_memsz) holds = 1;
  }
  if (!holds) return 0;
  *search->object = (struct trace_object){info->dlpi_name, begin, end};
  // The supported encoding: version 1, a 4-byte pointer, a 4-byte count, then pairs of 4-byte
  // offsets relative to the table.
  if (table == NULL || table[0] != 1 || table[2] != 0x03 || table[3] != 0x3B) return 1;
  uint32_t count;
  memcpy(&count, table + 8, sizeof count);
  for (search->count = 0; search->count < count; search->count++) {
    int32_t distance;
    memcpy(&distance, table + 12 + 8 * search->count, sizeof distance);
    if (search->count < search->capacity)
      search->starts[search->count] = (uintptr_t)table + (uint64_t)(int64_t)distance;
  }
  return 1;
}

size_t trace_function_starts(
    uint64_t address, struct trace_object *object, uint64_t *starts, size_t capacity) {
  *object = (struct trace_object){NULL, 0, 0};
  struct search search = {address, starts, 0, capacity, object};
  dl_iterate_phdr(look_into, &search);
  return search.count;
}
