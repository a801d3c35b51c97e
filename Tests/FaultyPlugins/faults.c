// A plugin of opcodes with one bug each, named FAULT, and of their twins without, named CLEAN.
// faults.json says which twin is whose and what the bug is, faults.arguments.json what it is given.

#include "faults_audio.h"
#include "faults_control.h"
#include "faults_forms.h"
#include "faults_memory.h"
#include "faults_render.h"
#include "faults_stable.h"

static OENTRY localops[] = {
    FILTERS(FILTER_ENTRY) OSCILLATORS(OSC_ENTRY) PANS(PAN_ENTRY) SUMS(SUM_ENTRY)
    GLIDES(GLIDE_ENTRY) FADES(FADE_ENTRY) NOISES(NOISE_ENTRY) AVERAGES(AVERAGE_ENTRY)
    SHAPES(SHAPE_ENTRY) SCALES(SCALE_ENTRY) CLIPS(CLIP_ENTRY) SMOOTHS(SMOOTH_ENTRY)
    MEANS(MEAN_ENTRY) PICKS(PICK_ENTRY) NOTES(NOTE_ENTRY) NOTEKS(NOTEK_ENTRY)
    DELAYS(DELAY_ENTRY) HOLDS(HOLD_ENTRY) GAINSES(GAINS_ENTRY)
    THROUGHS(THROUGH_ENTRY) RINGS(RING_ENTRY) LOOKUPS(LOOKUP_ENTRY) LARGESTS(LARGEST_ENTRY)
    LOOPS(LOOP_ENTRY) TUNEDS(TUNED_ENTRY) STAGESES(STAGES_ENTRY) CROSSES(CROSS_ENTRY)
    THIRDS(THIRD_ENTRY) PLAYERS(PLAYER_ENTRY) RATESES(RATES_ENTRY) COUNTEDS(COUNTED_ENTRY)
};

LINKAGE
