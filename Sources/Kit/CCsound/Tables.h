// Function tables. FUNC contains an array that Swift cannot import, so it is read here. Part of CCsound.h.

struct ccs_table {
  MYFLT *samples;  // length + 1 of them, the last being the guard point; NULL: no such table
  ptrdiff_t length;
  const void *found;  // its FUNC; NULL where only the elements were looked up
  int number;
};

static inline struct ccs_table ccs_table_of(const FUNC *table, int number) {
  struct ccs_table found = {NULL, 0, NULL, 0};
  if (table == NULL || table->flen == 0) return found;
  found.samples = table->ftable;
  found.length = (ptrdiff_t)table->flen;
  found.found = table;
  found.number = number;
  return found;
}

// Rounds a table number as Csound's own opcodes do: to the nearest whole number, halves to the even one. 0 for a number
// that cannot be a table's.
static inline int ccs_table_number(double number) {
  // From 2^51 on this does not round, but such a number is not a table number either.
  const double magic = 6755399441055744.0;
  double whole = (number + magic) - magic;
  return whole == -1 || (whole >= 1 && whole < 2147483647.0) ? (int)whole : 0;
}

// [init pass] Loads a table whose loading was deferred.
static inline struct ccs_table ccs_load_table(CSOUND *csound, double number) {
  MYFLT argument = ccs_table_number(number);
  return ccs_table_of(argument != 0 ? CCS_ANY_TABLE(csound, &argument) : NULL, (int)argument);
}

struct ccs_elements {
  MYFLT *samples;  // length + 1 of them, the last being the guard point; NULL: no such table
  ptrdiff_t length;
};

// The elements of a table, looked up with Csound's own functions. A separate function that saves all registers it uses
// (preserve_most), because it is rarely called and its callers then need not save any.
static __attribute__((noinline, unused, preserve_most)) struct ccs_elements
ccs_ask_for_elements(CSOUND *csound, int number) {
  struct ccs_elements found = {NULL, 0};
  if (number > 0) {
    int length = CCS_LOADED_TABLE(csound, &found.samples, number);
    if (length > 0) found.length = length;
    else found.samples = NULL;
  } else if (number == -1) {
    MYFLT argument = number;
    const FUNC *table = CCS_ANY_TABLE(csound, &argument);
    if (table != NULL) {
      found.samples = table->ftable;
      found.length = (ptrdiff_t)table->flen;
    }
  }
  return found;
}

// [init pass] Makes a table with a free number by a GEN routine, as the opcode `ftgen` does; a `text` stands before the
// parameters, of which there are at most 16. Returns the number; 0 where Csound refuses it, after a message of its own.
static inline int ccs_create_table(CSOUND *csound, ptrdiff_t length, int generator, const char *text,
                                 const double *parameters, int count) {
  EVTBLK *event = (EVTBLK *)csound->Calloc(csound, sizeof *event + 24 * sizeof(MYFLT));
  FUNC *table = NULL;
  MYFLT *fields;
  int last = 4, number = 0;
  if (event == NULL) return 0;
  fields = ccs_event_fields(event);
  event->opcod = 'f';
  fields[3] = (MYFLT)length;
  fields[4] = generator;
  if (text != NULL) {
    event->strarg = (char *)text;
    fields[++last] = SSTRCOD;
  }
  while (count-- > 0) fields[++last] = *parameters++;
  event->pcnt = (int16_t)last;
  if (CCS_MAKE_TABLE(csound, &table, event) == 0 && table != NULL) number = (int)table->fno;
  csound->Free(csound, event);
  return number;
}

// [init and deinit pass] Deletes a table. FTDelete of Csound 6.18 keeps the memory of the elements.
static inline void ccs_delete_table(CSOUND *csound, double number) {
  int whole = ccs_table_number(number);
  MYFLT argument = whole;
  FUNC *table = whole > 0 ? (FUNC *)CCS_ANY_TABLE(csound, &argument) : NULL;
  if (table == NULL) return;
#if CS_VERSION < 7
  csound->Free(csound, table->ftable);
  table->ftable = NULL;
#endif
  csound->FTDelete(csound, whole);
}

// Csound's list of tables by number: the members `flist`, `maxfnum` and those after them. They are not part of the plugin
// interface, but calling a function to look a table up costs more than a frame of an oscillator.
struct ccs_tables {
  FUNC *const *list;
  int last;  // a multiple of 100
  const void *generators;
  int generator_count;
};

// [any pass] The list; NULL where it cannot be one that has this number, as in another version of Csound or one compiled
// with other options.
static inline const struct ccs_tables *ccs_tables_with(const CSOUND *csound, int number) {
  const struct ccs_tables *tables = (const struct ccs_tables *)((const char *)csound + ccs_tables_place);
  if (ccs_tables_place == 0 || tables->last < number || tables->last % 100 != 0 ||
      tables->generators == NULL || tables->generator_count < 40 || tables->generator_count > 1000 ||
      tables->list == NULL || (uintptr_t)tables->list % sizeof(void *) != 0)
    return NULL;
  return tables;
}

// [any pass: no allocation, no locks] A table whose loading is deferred is not found.
static inline struct ccs_table ccs_find_table(CSOUND *csound, double number) {
  struct ccs_table table = {NULL, 0, NULL, ccs_table_number(number)};
  if (__builtin_expect(table.number > 0, 1)) {
    int length = CCS_LOADED_TABLE(csound, &table.samples, table.number);
    table.length = length;
    if (length <= 0) table.samples = NULL;
  } else {
    struct ccs_elements found = ccs_ask_for_elements(csound, table.number);
    table.samples = found.samples;
    table.length = found.length;
  }
  return table;
}

struct ccs_sound {
  double sample_rate;
  ptrdiff_t channels;
};

// [any pass: no allocation, no locks] What a table's sound file has. What the list of tables has is only believed where
// it has the elements that Csound's own function found.
static __attribute__((noinline, unused)) struct ccs_sound ccs_sound_of(CSOUND *csound, struct ccs_table table) {
  const struct ccs_tables *tables = ccs_tables_with(csound, table.number);
  const FUNC *found = (const FUNC *)table.found;
  MYFLT argument = table.number;
  struct ccs_sound sound = {0, 1};
  if (found == NULL && table.number > 0 && tables != NULL) found = tables->list[table.number];
  if (found == NULL || found->ftable != table.samples)
    found = table.number != 0 ? CCS_ANY_TABLE(csound, &argument) : NULL;
  if (found != NULL) {
    sound.sample_rate = found->gen01args.sample_rate;
    if (found->nchanls > 0) sound.channels = found->nchanls;
  }
  if (sound.sample_rate <= 0) sound.sample_rate = ccs_engine_sample_rate(csound);
  return sound;
}

// [init pass] The address of the list; NULL when it disagrees with what Csound's own function found.
static inline const void *ccs_table_list(const CSOUND *csound, int number, const FUNC *found) {
  const struct ccs_tables *tables = ccs_tables_with(csound, number);
  return tables != NULL && tables->list[number] == found ? &tables->list : NULL;
}

// A table's number, and what was found under it in the init pass.
struct ccs_known_table {
  int number;  // its `ccs_table_number`
  int length;
  MYFLT *samples;    // NULL: not known
  const void *list;  // the address of Csound's list of tables; not needed for the built-in sine, which never changes
};

// [init pass] The table with a `ccs_table_number`.
static inline struct ccs_known_table ccs_know_table(CSOUND *csound, int number) {
  struct ccs_known_table known = {number, 0, NULL, NULL};
  MYFLT argument = number;
  const FUNC *table;
  if (number == 0 || (number > 0 && ccs_tables_place == 0)) return known;
  table = CCS_ANY_TABLE(csound, &argument);
  if (table == NULL || table->flen == 0) return known;
  if (number > 0) known.list = ccs_table_list(csound, number, table);
  if (number > 0 && known.list == NULL) return known;
  known.samples = table->ftable;
  known.length = (int)table->flen;
  return known;
}

// [any pass: no allocation, no locks] The elements of a table. Csound is asked where they are not known, and where the
// number has another table now, or none. To compare is faster than to read: nothing has to wait for what is compared.
static inline struct ccs_elements ccs_find_elements(CSOUND *csound, struct ccs_known_table known) {
  struct ccs_elements found = {known.samples, known.length};
  if (__builtin_expect(known.samples == NULL, 0)) return ccs_ask_for_elements(csound, known.number);
  if (known.number > 0) {
    const FUNC *table = (*(FUNC *const *const *)known.list)[known.number];
    if (__builtin_expect(table == NULL || table->ftable != known.samples ||
                         (int)table->flen != known.length, 0))
      return ccs_ask_for_elements(csound, known.number);
  }
  return found;
}
