// Operations of the processor that Swift cannot express: libm and vectors, with the compiler's builtins for every
// processor.
#ifndef OPCODEKIT_CVECTOR_H
#define OPCODEKIT_CVECTOR_H

#include <stddef.h>
#include <stdint.h>

// Nothing here allocates or locks, so that Swift's compiler need not prove it.
#pragma clang attribute push(__attribute__((swift_attr("@_semantics(\"no_performance_analysis\")"))), apply_to = function)

// ---- libm, which Embedded Swift has no module for

// Of libm, with results that depend on the arguments alone: without the attribute the compiler must assume that they set
// `errno`, and so calls them anew in each frame and reads other memory again after each call.
#define CV_FUNCTION(name)                        \
  __attribute__((const)) double name(double x); \
  static inline double cv_##name(double x) { return name(x); }
#define CV_FUNCTION2(name)                                 \
  __attribute__((const)) double name(double x, double y); \
  static inline double cv_##name(double x, double y) { return name(x, y); }
CV_FUNCTION(exp)
CV_FUNCTION(exp2)
CV_FUNCTION(expm1)
CV_FUNCTION(log)
CV_FUNCTION(log2)
CV_FUNCTION(log10)
CV_FUNCTION(log1p)
CV_FUNCTION(sqrt)
CV_FUNCTION(cbrt)
CV_FUNCTION(tan)
CV_FUNCTION(asin)
CV_FUNCTION(acos)
CV_FUNCTION(atan)
CV_FUNCTION(sinh)
CV_FUNCTION(cosh)
CV_FUNCTION(asinh)
CV_FUNCTION(acosh)
CV_FUNCTION(atanh)
CV_FUNCTION(erf)
CV_FUNCTION(erfc)
CV_FUNCTION(tgamma)
CV_FUNCTION(floor)
CV_FUNCTION(ceil)
CV_FUNCTION(trunc)
CV_FUNCTION(round)
CV_FUNCTION2(pow)
CV_FUNCTION2(atan2)
CV_FUNCTION2(fmod)
CV_FUNCTION2(remainder)
// Of a sine and a cosine of one angle the compiler makes one call, of a function that only Linux has.
#ifdef __linux__
CV_FUNCTION(sin)
CV_FUNCTION(cos)
#else
static inline double cv_sin(double x) { return __builtin_sin(x); }
static inline double cv_cos(double x) { return __builtin_cos(x); }
#endif
#undef CV_FUNCTION
#undef CV_FUNCTION2
static inline ptrdiff_t cv_truncate(double x) { return (ptrdiff_t)x; }
// The nearest whole number, halves to the even one; -2^63 for NaN and out-of-range numbers.
static inline long long cv_nearest(double x) {
#ifdef __x86_64__
  return __builtin_ia32_cvtsd2si64((__attribute__((vector_size(16))) double){x, 0});
#else
  return __builtin_fabs(x) < 0x1p63 ? (long long)__builtin_rint(x) : INT64_MIN;
#endif
}

// ---- Vectors. Swift's SIMD types compute one element after the other and rely on the optimizer to
//      vectorize them again; these are the compiler's own vector types.

typedef double cv_pair __attribute__((ext_vector_type(2)));
typedef long long cv_pair_bits __attribute__((ext_vector_type(2)));
typedef unsigned long long cv_pair_whole __attribute__((ext_vector_type(2)));
typedef double cv_quad __attribute__((ext_vector_type(4)));
typedef long long cv_quad_bits __attribute__((ext_vector_type(4)));
typedef unsigned long long cv_quad_whole __attribute__((ext_vector_type(4)));
typedef int cv_quad_short __attribute__((ext_vector_type(4)));
typedef double cv_lanes __attribute__((ext_vector_type(8)));
typedef long long cv_lanes_bits __attribute__((ext_vector_type(8)));
typedef unsigned long long cv_lanes_whole __attribute__((ext_vector_type(8)));

// For each kind of vector; minimum and maximum are the processor's own instructions, which give b when either number is
// NaN.
#define CV_ARITHMETIC(vector)                                                                    \
  static inline vector vector##_add(vector a, vector b) { return a + b; }                        \
  static inline vector vector##_subtract(vector a, vector b) { return a - b; }                   \
  static inline vector vector##_multiply(vector a, vector b) { return a * b; }                   \
  static inline vector vector##_divide(vector a, vector b) { return a / b; }                     \
  static inline vector vector##_minimum(vector a, vector b) { return a < b ? a : b; }            \
  static inline vector vector##_sqrt(vector a) { return __builtin_elementwise_sqrt(a); }

// power_of_two: 2^n for whole n from -1022 to 1023, given n + 1.5 * 2^52, whose low bits are those of n.
#define CV_DOUBLES(vector)                                                                       \
  CV_ARITHMETIC(vector)                                                                          \
  static inline vector vector##_maximum(vector a, vector b) { return a > b ? a : b; }            \
  static inline vector vector##_magnitude(vector a) { return __builtin_elementwise_abs(a); }     \
  static inline vector vector##_with_signs(vector a, vector signs) {                             \
    return __builtin_elementwise_copysign(a, signs);                                             \
  }                                                                                              \
  static inline vector vector##_power_of_two(vector n) {                                         \
    return (vector)(((vector##_bits)n << 52) + 0x3FF0000000000000LL);                            \
  }
CV_DOUBLES(cv_pair)
CV_DOUBLES(cv_quad)
CV_DOUBLES(cv_lanes)

static inline cv_pair cv_pair_firsts(cv_pair a, cv_pair b) {
  return __builtin_shufflevector(a, b, 0, 2);
}
static inline cv_pair cv_pair_seconds(cv_pair a, cv_pair b) {
  return __builtin_shufflevector(a, b, 1, 3);
}
static inline cv_pair cv_pair_swap(cv_pair a) { return __builtin_shufflevector(a, a, 1, 0); }
// 2^(-e * power) for each number with exponent e.
static inline cv_pair cv_pair_unscale(cv_pair a, unsigned long long power) {
  return (cv_pair)((power + 1) * 0x3FF0000000000000ull -
                   ((cv_pair_whole)a & 0x7FF0000000000000ull) * power);
}

// For each kind of vector:
// - halvings: how many times the numbers a must be halved to be from 2/3 to 3/2 of b. The count is in the bits from 52
//   up; the lower bits are a rounding remainder.
// - octaves: the same count as floating-point numbers.
// - near: `a` after that many halvings.
#define CV_OCTAVES(vector, whole)                                                                \
  static inline whole vector##_halvings(vector a, vector b) {                                    \
    return (whole)a - (whole)b + (1ull << 51);                                                   \
  }                                                                                              \
  static inline vector vector##_octaves(vector a, vector b) {                                    \
    whole places = (vector##_halvings(a, b) + (1ull << 63)) >> 52;                               \
    return (vector)(places | 0x4330000000000000ull) - (0x1p52 + 2048);                           \
  }                                                                                              \
  static inline vector vector##_near(vector a, vector b) {                                       \
    return (vector)((whole)a - (vector##_halvings(a, b) & ~0xFFFFFFFFFFFFFull));                 \
  }
CV_OCTAVES(cv_pair, cv_pair_whole)
CV_OCTAVES(cv_quad, cv_quad_whole)
CV_OCTAVES(cv_lanes, cv_lanes_whole)

// Whether one register of the target processor holds a quad.
static inline int cv_quad_is_one_register(void) {
#ifdef __AVX__
  return 1;
#else
  return 0;
#endif
}
// The largest whole number up to each number, for magnitudes below 2^51.
static inline cv_quad cv_quad_floor(cv_quad a) {
#ifdef __SSE4_1__
  return __builtin_elementwise_floor(a);
#else
  cv_quad nearest = (a + 0x1.8p52) - 0x1.8p52;
  return nearest - (cv_quad)((cv_quad_bits)(nearest > a) & (cv_quad_bits)((cv_quad){} + 1));
#endif
}
// The first and the second numbers of four pairs; AVX needs no more instructions for this than SSE2.
static inline cv_quad cv_quad_firsts(cv_pair a, cv_pair b, cv_pair c, cv_pair d) {
  cv_quad even = __builtin_shufflevector(a, c, 0, 1, 2, 3);
  cv_quad odd = __builtin_shufflevector(b, d, 0, 1, 2, 3);
  return __builtin_shufflevector(even, odd, 0, 4, 2, 6);
}
static inline cv_quad cv_quad_seconds(cv_pair a, cv_pair b, cv_pair c, cv_pair d) {
  cv_quad even = __builtin_shufflevector(a, c, 0, 1, 2, 3);
  cv_quad odd = __builtin_shufflevector(b, d, 0, 1, 2, 3);
  return __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}
// Within each half of two quads, the first or the second numbers: a0 b0 a2 b2 and a1 b1 a3 b3.
static inline cv_quad cv_quad_even(cv_quad a, cv_quad b) {
  return __builtin_shufflevector(a, b, 0, 4, 2, 6);
}
static inline cv_quad cv_quad_odd(cv_quad a, cv_quad b) {
  return __builtin_shufflevector(a, b, 1, 5, 3, 7);
}
// The first or the second halves of two quads.
static inline cv_quad cv_quad_lows(cv_quad a, cv_quad b) {
  return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}
static inline cv_quad cv_quad_highs(cv_quad a, cv_quad b) {
  return __builtin_shufflevector(a, b, 2, 3, 6, 7);
}
static inline cv_quad cv_quad_reverse(cv_quad a) { return __builtin_shufflevector(a, a, 3, 2, 1, 0); }
// 1 plus a fraction made of the first 52 of 64 bits.
static inline cv_quad cv_quad_one_and_fraction(cv_quad_whole bits) {
  return (cv_quad)((bits >> 12) | 0x3FF0000000000000ull);
}
static inline cv_quad_whole cv_quad_whole_add(cv_quad_whole a, cv_quad_whole b) { return a + b; }
// Truncates numbers below 2^31 in magnitude to whole numbers.
static inline cv_quad_short cv_quad_truncate(cv_quad a) {
  return __builtin_convertvector(a, cv_quad_short);
}
// Four places in a ring, each one further than the last, less `back`, which may lead up to one length before its start.
static inline cv_quad_short cv_quad_ring(cv_quad_short back, ptrdiff_t start, ptrdiff_t length) {
  cv_quad_short place = (cv_quad_short){0, 1, 2, 3} + (int)start - back;
  return place + ((place >> 31) & (int)length);
}
static inline cv_quad cv_quad_of_short(cv_quad_short a) {
  return __builtin_convertvector(a, cv_quad);
}
static inline cv_quad cv_quad_load(const void *from) {
  cv_quad quad;
  __builtin_memcpy(&quad, from, sizeof quad);
  return quad;
}
static inline void cv_quad_store(void *to, cv_quad quad) {
  __builtin_memcpy(to, &quad, sizeof quad);
}

static inline cv_lanes cv_lanes_places(void) { return (cv_lanes){0, 1, 2, 3, 4, 5, 6, 7}; }
static inline cv_lanes cv_lanes_where_below(cv_lanes a, cv_lanes b, cv_lanes yes,
                                              cv_lanes no) {
  return a < b ? yes : no;
}
// Whether all numbers are from -limit to limit; false when one is NaN.
static inline int cv_lanes_is_within(cv_lanes a, cv_lanes limit) {
  return __builtin_reduce_and((cv_lanes_bits)(__builtin_elementwise_abs(a) <= limit)) != 0;
}
// Eight channels, each at its own address.
typedef struct { double *at[8]; } cv_channels;

static inline cv_lanes cv_lanes_read(cv_channels channels, ptrdiff_t frame) {
  cv_lanes lanes;
  for (int place = 0; place < 8; place++) lanes[place] = channels.at[place][frame];
  return lanes;
}
static inline void cv_lanes_write(cv_lanes lanes, cv_channels channels, ptrdiff_t frame) {
  for (int place = 0; place < 8; place++) channels.at[place][frame] = lanes[place];
}
// Eight of `count` channels that are `bytes` apart, from `first` on; beyond the last channel, the last one is repeated.
static inline cv_channels cv_channels_from(double *data, ptrdiff_t bytes, ptrdiff_t first, ptrdiff_t count) {
  cv_channels channels;
  for (int place = 0; place < 8; place++) {
    ptrdiff_t channel = first + place < count ? first + place : count - 1;
    channels.at[place] = (double *)((char *)data + channel * bytes);
  }
  return channels;
}
static inline cv_lanes cv_lanes_load(const void *from) {
  cv_lanes lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
static inline void cv_lanes_store(void *to, cv_lanes lanes) {
  __builtin_memcpy(to, &lanes, sizeof lanes);
}
// Interleaved single-precision numbers: first, second, first, second and so on.
typedef float cv_floats __attribute__((ext_vector_type(8)));
CV_ARITHMETIC(cv_floats)
typedef float cv_float_turns __attribute__((ext_vector_type(16)));
static inline void cv_floats_store_turns(void *to, cv_floats firsts, cv_lanes seconds) {
  cv_float_turns turns = __builtin_shufflevector(
      firsts, __builtin_convertvector(seconds, cv_floats),
      0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  __builtin_memcpy(to, &turns, sizeof turns);
}
static inline void cv_lanes_store_turns(void *to, cv_lanes firsts, cv_lanes seconds) {
  cv_floats_store_turns(to, __builtin_convertvector(firsts, cv_floats), seconds);
}
static inline cv_lanes cv_lanes_load_turns(const void *from, int second) {
  cv_float_turns turns;
  __builtin_memcpy(&turns, from, sizeof turns);
  cv_floats firsts = __builtin_shufflevector(turns, turns, 0, 2, 4, 6, 8, 10, 12, 14);
  cv_floats seconds = __builtin_shufflevector(turns, turns, 1, 3, 5, 7, 9, 11, 13, 15);
  return __builtin_convertvector(second ? seconds : firsts, cv_lanes);
}
static inline cv_floats cv_floats_of_quads(cv_quad a, cv_quad b) {
  return __builtin_convertvector(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7), cv_floats);
}
// Eight angles in units of 2^-32 turns, which wrap.
typedef unsigned cv_turns __attribute__((ext_vector_type(8)));
typedef int cv_float_bits __attribute__((ext_vector_type(8)));
static inline cv_turns cv_turns_add(cv_turns a, cv_turns b) { return a + b; }
static inline cv_turns cv_turns_subtract(cv_turns a, cv_turns b) { return a - b; }
// The numbers without their fractions, which must be below 2^31 in magnitude.
static inline cv_turns cv_turns_of(cv_floats a) {
  return (cv_turns)__builtin_convertvector(a, cv_float_bits);
}
static inline cv_turns cv_turns_kept(cv_turns turns, cv_floats size, cv_floats low) {
  return turns & (cv_turns)(size >= low);
}
// From -2^31 to 2^31 - 1.
static inline cv_lanes cv_turns_lanes(cv_turns a) {
  return __builtin_convertvector((cv_float_bits)a, cv_lanes);
}
// The upper halves of eight numbers, with their signs.
typedef unsigned cv_words __attribute__((ext_vector_type(16)));
static inline cv_turns cv_turns_upper(cv_quad a, cv_quad b) {
  cv_words words = (cv_words)__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(words, words, 1, 3, 5, 7, 9, 11, 13, 15);
}
// All bits set where an odd number of signs is negative.
static inline cv_turns cv_turns_falling(cv_turns real, cv_turns imaginary, cv_turns difference) {
  return (cv_turns)((cv_float_bits)(real ^ imaginary ^ difference) >> 31);
}
// The angle in the middle of the octant of each point, given the upper halves of both parts and of the difference of
// their magnitudes, |real| - |imaginary|.
static inline cv_turns cv_turns_octant(cv_turns real, cv_turns imaginary, cv_turns difference) {
  cv_turns steep = (cv_turns)((cv_float_bits)difference >> 31);
  cv_turns falling = cv_turns_falling(real, imaginary, difference);
  cv_turns axis = (((steep & imaginary) | (~steep & real)) & 0x80000000u) | (steep & 0x40000000u);
  return axis + ((0x10000000u ^ falling) - falling);
}
// Each number, negated where an odd number of signs is negative.
static inline cv_floats cv_floats_turned(cv_floats a, cv_turns real, cv_turns imaginary, cv_turns difference) {
  return (cv_floats)((cv_turns)a ^ ((real ^ imaginary ^ difference) & 0x80000000u));
}
// 48 numbers in the caller's memory, written eight at a time and read one at a time.
typedef struct { double at[48]; } cv_numbers;

static inline void cv_numbers_write(cv_numbers *numbers, ptrdiff_t place, cv_lanes lanes) {
  __builtin_memcpy(numbers->at + place, &lanes, sizeof lanes);
}
static inline double cv_numbers_read(const cv_numbers *numbers, ptrdiff_t place) {
  return numbers->at[place];
}

#pragma clang attribute pop

#endif
