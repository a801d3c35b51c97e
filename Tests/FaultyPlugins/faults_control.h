// Opcodes with controls, arrays of controls and strings: SMOOTH, MEAN, PICK, NOTE and NOTEK.

#pragma once

#include "faults.h"

#include <ctype.h>

#pragma clang diagnostic ignored "-Wformat-security"

// kout SMOOTH kcontrol, khalftime: begins at the control and goes half the way to it in the time. REFUSING ends the note
// when the control is no number.

typedef struct {
  OPDS h;
  MYFLT *out, *control, *half;
  double state, known, kept;
  uint64_t has_state;
} SMOOTH;

INLINE int smooth_init(CSOUND *csound, SMOOTH *p, enum opcode opcode) {
  p->state = 0;
  p->has_state = 0;
  p->known = *p->half;
  p->kept = p->known > 0 ? exp2(-1 / (p->known * SAMPLE_RATE(csound))) : 0;
  return OK;
}

INLINE int smooth_perform(CSOUND *csound, SMOOTH *p, enum opcode opcode) {
  double rate = p->h.insdshead->ekr, control = *p->control, half = clamp(*p->half, 0, 1e6);
  if (opcode == FAULT_GLOBAL_KR) rate = CONTROL_RATE(csound);
  if (opcode == FAULT_KR_FIXED) rate = LOCAL_RATE(csound, p) / 64;
  if (opcode == CLEAN_REFUSING && !isfinite(control))
    return csound->PerfError(csound, &p->h, "kcontrol is not finite");
  if (opcode == FAULT_SILENT_REFUSAL && !isfinite(control)) return NOTOK;
  if (opcode != FAULT_NAN_CONTROL && isnan(control)) control = p->state;
  if (control > 1e30) control = 1e30;
  if (control < -1e30) control = -1e30;
  double kept = half > 0 && p->has_state ? exp2(-1 / (half * rate)) : 0;
  if (opcode == FAULT_RATE_AT_INIT && p->has_state) {
    if (half != p->known) p->known = half, p->kept = kept;
    kept = p->kept;
  }
  double state = kept * p->state + (1 - kept) * control;
  if (fabs(state) < 1e-30) state = 0;
  if (opcode != FAULT_OUTPUT_UNWRITTEN || !p->has_state || state != p->state) *p->out = state;
  p->state = state;
  p->has_state = 1;
  return OK;
}

#define DEFINE_SMOOTH(opcode) DEFINE(opcode, SMOOTH, smooth)
#define SMOOTH_ENTRY(opcode) ENTRY(opcode, SMOOTH, "k", "kk")
SMOOTHS(DEFINE_SMOOTH)

/// How many elements an array of any dimensions has; 0 before it is made.
INLINE int elements(const ARRAYDAT *array) {
  int count = 1;
  if (array->data == NULL || array->sizes == NULL || array->dimensions < 1) return 0;
  for (int i = 0; i < array->dimensions; i++) count *= array->sizes[i];
  return count > 0 ? count : 0;
}

INLINE double element(const ARRAYDAT *array, int i) {
  return clamp(array->data[i * (array->arrayMemberSize / (int)sizeof(MYFLT))], -1e30, 1e30);
}

// kout MEAN kin[]

typedef struct { OPDS h; MYFLT *out; ARRAYDAT *in; } MEAN;

INLINE int mean_init(CSOUND *csound, MEAN *p, enum opcode opcode) {
  if (opcode != FAULT_EMPTY_ARRAY && elements(p->in) == 0)
    return csound->InitError(csound, "an empty array has no mean");
  return OK;
}

INLINE int mean_perform(CSOUND *csound, MEAN *p, enum opcode opcode) {
  int count = elements(p->in);
  if (opcode != FAULT_EMPTY_ARRAY && count == 0) {
    *p->out = 0;
    return OK;
  }
  double sum = element(p->in, 0);
  for (int i = 1; i < count; i++) sum += element(p->in, i);
  *p->out = sum / count;
  return OK;
}

#define DEFINE_MEAN(opcode) DEFINE(opcode, MEAN, mean)
#define MEAN_ENTRY(opcode) ENTRY(opcode, MEAN, "k", "k[]")
MEANS(DEFINE_MEAN)

// kout PICK kin[], kindex: an element, beginning anew behind the last one.

typedef struct { OPDS h; MYFLT *out; ARRAYDAT *in; MYFLT *index; } PICK;

INLINE int pick_init(CSOUND *csound, PICK *p, enum opcode opcode) {
  if (opcode != FAULT_EMPTY_MODULO && elements(p->in) == 0)
    return csound->InitError(csound, "there is nothing to pick from an empty array");
  return OK;
}

INLINE int pick_perform(CSOUND *csound, PICK *p, enum opcode opcode) {
  int count = elements(p->in);
  if (opcode != FAULT_EMPTY_MODULO && count == 0) {
    *p->out = 0;
    return OK;
  }
  int index = (int)floor(clamp(*p->index, -1e9, 1e9));
  OPAQUE(count);
  index %= count;
  if (opcode != FAULT_NEGATIVE_INDEX && index < 0) index += count;
  *p->out = element(p->in, index);
  return OK;
}

#define DEFINE_PICK(opcode) DEFINE(opcode, PICK, pick)
#define PICK_ENTRY(opcode) ENTRY(opcode, PICK, "k", "k[]k")
PICKS(DEFINE_PICK)

/// The MIDI note number of a name such as C4, F#3 or Bb-1; C4 is 60.
INLINE int is_note(const char *name, double *number, enum opcode opcode) {
  static const int semitones[] = {9, 11, 0, 2, 4, 5, 7};
  if (opcode != FAULT_EMPTY_STRING && *name == 0) return 0;
  uint32_t last = (uint32_t)strlen(name) - 1;
  if (!isdigit((unsigned char)name[last])) return 0;
  int letter = toupper((unsigned char)*name++), sign = 1, octave = 0, digits = 0;
  if (letter < 'A' || letter > 'G') return 0;
  int semitone = semitones[letter - 'A'];
  if (*name == '#' || *name == 'b') semitone += *name++ == '#' ? 1 : -1;
  if (*name == '-') sign = -1, name++;
  for (; isdigit((unsigned char)*name) && digits < 2; digits++)
    octave = 10 * octave + *name++ - '0';
  if (*name != 0 || digits == 0) return 0;
  *number = 12 * (sign * octave + 1) + semitone;
  return 1;
}

INLINE const char *text(const STRINGDAT *string) { return string->data ? string->data : ""; }

// inumber NOTE Sname, and knumber NOTEK Sname

typedef struct { OPDS h; MYFLT *out; STRINGDAT *name; double number; } NOTE;

INLINE int note_init(CSOUND *csound, NOTE *p, enum opcode opcode) {
  const char *name = text(p->name);
  if (!is_note(name, &p->number, opcode)) {
    if (opcode == FAULT_SILENT_ERROR) return NOTOK;
    if (opcode == FAULT_FORMAT_STRING) return csound->InitError(csound, name);
    return csound->InitError(csound, "\"%s\" is no note such as C4, F#3 or Bb-1", name);
  }
  *p->out = p->number;
  return OK;
}

INLINE int note_perform(CSOUND *csound, NOTE *p, enum opcode opcode) {
  int is_known = opcode == FAULT_STRING_ONCE || is_note(text(p->name), &p->number, opcode);
  if (opcode == FAULT_ERROR_IN_PERFORMANCE && !is_known)
    return csound->InitError(csound, "\"%s\" is no note", text(p->name));
  *p->out = p->number;
  return OK;
}

#define DEFINE_NOTE(opcode)                                                                        \
  static int opcode##_init(CSOUND *csound, NOTE *p) { return note_init(csound, p, opcode); }
#define NOTE_ENTRY(opcode) {#opcode, sizeof(NOTE), 0, THREADS(1) "i", "S", (SUBR)opcode##_init},
NOTES(DEFINE_NOTE)

#define DEFINE_NOTEK(opcode) DEFINE(opcode, NOTE, note)
#define NOTEK_ENTRY(opcode) ENTRY(opcode, NOTE, "k", "S")
NOTEKS(DEFINE_NOTEK)
