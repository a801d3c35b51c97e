// Every opcode of faults.c under its base; the first one of a base is its clean twin.

#pragma once

#define FILTERS(X)                                                                                 \
  X(CLEAN_FILTER)                                                                                  \
  X(FAULT_EARLY_END_LATE)                                                                          \
  X(FAULT_EARLY_END_SOON)                                                                          \
  X(FAULT_END_INSIDE)                                                                              \
  X(FAULT_END_INSIDE_SOON)                                                                         \
  X(FAULT_HEAD_NOT_ZEROED)                                                                         \
  X(FAULT_TAIL_NOT_ZEROED)                                                                         \
  X(FAULT_INPUT_FROM_ZERO)                                                                         \
  X(FAULT_START_UNUSED)                                                                            \
  X(FAULT_STATE_BEFORE_START)                                                                      \
  X(FAULT_WRITE_PAST_END)                                                                          \
  X(FAULT_WRITE_BEFORE_START)                                                                      \
  X(FAULT_READ_PAST_END)                                                                           \
  X(FAULT_GLOBAL_KSMPS)                                                                            \
  X(FAULT_LAST_SAMPLE)                                                                             \
  X(FAULT_INPUT_SCALED)                                                                            \
  X(FAULT_CONTROL_CLAMPED)                                                                         \
  X(FAULT_CONTROL_CLEARED)                                                                         \
  X(FAULT_OUTPUT_CLEARED)                                                                          \
  X(FAULT_BLOCK_TOO_SMALL)                                                                         \
  X(FAULT_ALIGNED_ACCESS)                                                                          \
  X(FAULT_GROUPS_OF_16)                                                                            \
  X(FAULT_SAMPLE_RATE_44100)                                                                       \
  X(FAULT_ENGINE_SAMPLE_RATE)                                                                      \
  X(FAULT_AUDIO_RATE_GAIN)                                                                         \
  X(FAULT_AUDIO_RATE_FIRST)                                                                        \
  X(FAULT_STATIC_STATE)                                                                            \
  X(FAULT_STATIC_SAMPLE_RATE)                                                                      \
  X(FAULT_NO_RESET)                                                                                \
  X(FAULT_SKIP_IGNORED)                                                                            \
  X(FAULT_NO_RESET_AT_REINIT)                                                                      \
  X(FAULT_NAN_LATCH)                                                                               \
  X(FAULT_NAN_GAIN)                                                                                \
  X(FAULT_INFINITY_LATCH)                                                                          \
  X(FAULT_NO_FLUSH)                                                                                \
  X(FAULT_ROUNDING_MODE)                                                                           \
  X(FAULT_MALLOC)                                                                                  \
  X(FAULT_MUTEX)                                                                                   \
  X(FAULT_SYSTEM_CALL)                                                                             \
  X(FAULT_MESSAGE)                                                                                 \
  X(FAULT_WORST_BLOCK)                                                                             \
  X(FAULT_CONTROL_ONCE)                                                                            \
  X(FAULT_CONTROL_LATE)                                                                            \
  X(FAULT_COEFFICIENT_AT_INIT)                                                                     \
  X(FAULT_GAIN_FROM_ZERO)                                                                          \
  X(FAULT_CUTOFF_KEPT)                                                                             \
  X(FAULT_LEVEL_SKIPPED)                                                                           \
  X(FAULT_GAIN)                                                                                    \
  X(FAULT_HALF_SAMPLE)                                                                             \
  X(FAULT_ONE_SAMPLE)                                                                              \
  X(FAULT_DC_OFFSET)                                                                               \
  X(FAULT_COEFFICIENT)                                                                             \
  X(FAULT_OTHER_OVERLOAD)

#define OSCILLATORS(X)                                                                             \
  X(CLEAN_OSC)                                                                                     \
  X(FAULT_OFFSET_IGNORED)                                                                          \
  X(FAULT_PHASE_NOT_RESET)                                                                         \
  X(FAULT_TABLE_UNCHECKED)                                                                         \
  X(FAULT_TABLE_MASKED)                                                                            \
  X(FAULT_OMITTED_DEFAULT)                                                                         \
  X(FAULT_TABLE_FRACTION)                                                                          \
  X(FAULT_TABLE_NEGATIVE)                                                                          \
  X(FAULT_TABLE_KEPT)

#define PANS(X)                                                                                    \
  X(CLEAN_PAN)                                                                                     \
  X(FAULT_SECOND_OUTPUT)                                                                           \
  X(FAULT_FIRST_OUTPUT_READ)                                                                       \
  X(FAULT_SQUARE_ROOT)                                                                             \
  X(FAULT_OUTPUTS_SWAPPED)

#define SUMS(X) X(CLEAN_SUM) X(FAULT_SUM_CLEARED) X(FAULT_EIGHT_INPUTS)
#define GLIDES(X) X(CLEAN_GLIDE) X(FAULT_KSMPS_64)
#define FADES(X) X(CLEAN_FADE) X(FAULT_KCOUNTER)
#define NOISES(X) X(CLEAN_NOISE) X(FAULT_RAND) X(FAULT_CLOCK_SEED) X(FAULT_GATE_FROM_ZERO)
#define AVERAGES(X) X(CLEAN_AVERAGE) X(FAULT_STATIC_SCRATCH) X(FAULT_STATIC_RACE)
#define SHAPES(X) X(CLEAN_SHAPE) X(FAULT_STALE_GLOBAL)
#define SCALES(X) X(CLEAN_SCALE) X(FAULT_DIVISION_BY_ZERO)
#define CLIPS(X) X(CLEAN_CLIP) X(FAULT_CLIP_AT_ONE) X(FAULT_X_FROM_ZERO)

#define SMOOTHS(X)                                                                                 \
  X(CLEAN_SMOOTH)                                                                                  \
  X(FAULT_GLOBAL_KR)                                                                               \
  X(FAULT_KR_FIXED)                                                                                \
  X(FAULT_NAN_CONTROL)                                                                             \
  X(FAULT_OUTPUT_UNWRITTEN)                                                                        \
  X(FAULT_RATE_AT_INIT)                                                                            \
  X(CLEAN_REFUSING)                                                                                \
  X(FAULT_SILENT_REFUSAL)

#define MEANS(X) X(CLEAN_MEAN) X(FAULT_EMPTY_ARRAY)
#define PICKS(X) X(CLEAN_PICK) X(FAULT_EMPTY_MODULO) X(FAULT_NEGATIVE_INDEX)
#define NOTES(X) X(CLEAN_NOTE) X(FAULT_EMPTY_STRING) X(FAULT_FORMAT_STRING) X(FAULT_SILENT_ERROR)
#define NOTEKS(X) X(CLEAN_NOTEK) X(FAULT_STRING_ONCE) X(FAULT_ERROR_IN_PERFORMANCE)

#define DELAYS(X)                                                                                  \
  X(CLEAN_DELAY)                                                                                   \
  X(FAULT_DELAY_UNLIMITED)                                                                         \
  X(FAULT_LINE_OVERRUN)                                                                            \
  X(FAULT_LARGE_OVERRUN)                                                                           \
  X(FAULT_LINE_UNDERRUN)                                                                           \
  X(FAULT_LARGE_UNDERRUN)                                                                          \
  X(FAULT_LINE_NOT_CLEARED)                                                                        \
  X(FAULT_NAN_SURVIVES)                                                                            \
  X(FAULT_SKIPPED_INIT)                                                                            \
  X(FAULT_FAILED_REINIT)                                                                           \
  X(FAULT_CHANGED_REINIT)                                                                          \
  X(FAULT_CHANGED_DEINIT)

#define GAINSES(X) X(CLEAN_GAINS) X(FAULT_ARRAY_GROWN)
#define HOLDS(X)                                                                                   \
  X(CLEAN_HOLD)                                                                                    \
  X(FAULT_LEAK)                                                                                    \
  X(FAULT_LEAK_AT_REINIT)                                                                          \
  X(FAULT_DEINIT_AT_REINIT)                                                                        \
  X(FAULT_DEINIT_AT_TIE)                                                                           \
  X(FAULT_FREED_AT_TIE)                                                                            \
  X(FAULT_DEINIT_UNPERFORMED)                                                                      \
  X(FAULT_ENDLESS_LOOP)                                                                            \
  X(FAULT_MALLOC_TENTH)                                                                            \
  X(FAULT_INSTANCE_LIMIT)

#define THROUGHS(X)                                                                                \
  X(CLEAN_THROUGH)                                                                                 \
  X(FAULT_SQUARE_ROOT_OF_SIGNAL)                                                                   \
  X(FAULT_FULL_SCALE_ONLY)                                                                         \
  X(FAULT_DIVIDED_BY_CHANGE)                                                                       \
  X(FAULT_ONE_FRAME)                                                                               \
  X(FAULT_ODD_FRAMES)                                                                              \
  X(FAULT_MANY_FRAMES)                                                                             \
  X(FAULT_LOW_SAMPLE_RATE)                                                                         \
  X(FAULT_HIGH_SAMPLE_RATE)                                                                        \
  X(FAULT_FRACTIONAL_SAMPLE_RATE)                                                                  \
  X(FAULT_OLD_FULL_SCALE)                                                                          \
  X(FAULT_LONG_NOTE)                                                                               \
  X(FAULT_TURNED_OFF)                                                                              \
  X(FAULT_HUGE_SIGNAL)                                                                             \
  X(FAULT_SUBNORMAL_SIGNAL)                                                                        \
  X(FAULT_SUBNORMAL_FLOOR)                                                                         \
  X(FAULT_SAMPLE_ACCURATE)                                                                         \
  X(FAULT_OUTPUT_NAME)                                                                             \
  X(FAULT_PLUGIN_DIRECTORY)                                                                        \
  X(FAULT_SLOW_SILENCE)

#define RINGS(X) X(CLEAN_RING) X(FAULT_FIRST_OF_BLOCK)
#define LOOKUPS(X) X(CLEAN_LOOKUP) X(FAULT_TABLE_OF_ONE)
#define LARGESTS(X) X(CLEAN_LARGEST) X(FAULT_ARRAY_LIMIT)
#define LOOPS(X) X(CLEAN_LOOP) X(FAULT_LOOP_GAIN)
#define TUNEDS(X) X(CLEAN_TUNED) X(FAULT_TUNED_STATE)
#define STAGESES(X) X(CLEAN_STAGES) X(FAULT_CACHE_KEPT)
#define CROSSES(X) X(CLEAN_CROSS) X(FAULT_CROSS_SUM)
#define THIRDS(X) X(CLEAN_THIRD) X(FAULT_THIRD_MISSING)
#define PLAYERS(X) X(CLEAN_PLAYER) X(FAULT_SECOND_NOT_CLEARED)
#define RATESES(X) X(CLEAN_RATES) X(FAULT_RATES_GAIN)
#define COUNTEDS(X) X(CLEAN_COUNTED) X(FAULT_NEVER_INITIALISED) X(FAULT_NEVER_PERFORMED)

#define ALL_OPCODES(X)                                                                             \
  FILTERS(X) OSCILLATORS(X) PANS(X) SUMS(X) GLIDES(X) FADES(X) NOISES(X) AVERAGES(X) SHAPES(X)     \
  SCALES(X) CLIPS(X) SMOOTHS(X) MEANS(X) PICKS(X) NOTES(X) NOTEKS(X) DELAYS(X) GAINSES(X) HOLDS(X)   \
  THROUGHS(X) RINGS(X) LOOKUPS(X) LARGESTS(X) LOOPS(X) TUNEDS(X) STAGESES(X) CROSSES(X) THIRDS(X) \
  PLAYERS(X) RATESES(X) COUNTEDS(X)
