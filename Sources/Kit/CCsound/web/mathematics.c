// The functions of mathematics for Csound in a browser, where a plugin finds no C library. Beside Linux's they are
// right to three units of the last bit; a test compares them.
#include "pairs.h"

#include <stddef.h>

// Tests give them other names.
#ifndef NAMED
#define NAMED(name) name
#endif

// ---- Exponentials and logarithms

static const pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

// exp(x) - 1 for |x| below 0.35, of twice the precision in its first two terms.
static pair small_exponential(pair x) {
  double a = x.high;
  double rest = a * a * a
                * POLYNOMIAL(a, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
                             1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200);
  pair square = product_of(a, a);
  square = (pair){square.high / 2, square.low / 2 + a * x.low};
  return add(add(x, square), (pair){rest, 0});
}

// exp(x) as (1 + the result) · 2^power, for |x| below 2000.
static pair split_exponential(pair x, int *power) {
  double whole = __builtin_rint(x.high * 0x1.71547652b82fep0);
  pair part = multiply((pair){-whole, 0}, ln2);
  *power = (int)whole;
  return small_exponential(add(x, part));
}

static double exponential(pair x) {
  int power;
  if (is_nan(x.high)) return x.high;
  if (x.high > 710) return INFINITY;
  if (x.high < -746) return 0;
  pair less_one = split_exponential(x, &power);
  pair sum = add((pair){1, 0}, less_one);
  return scaled(sum.high + sum.low, power);
}

double NAMED(exp)(double x) { return exponential((pair){x, 0}); }

double NAMED(exp2)(double x) {
  if (is_nan(x)) return x;
  if (x >= 1024) return INFINITY;
  if (x < -1076) return 0;
  double whole = __builtin_rint(x);
  pair sum = add((pair){1, 0}, small_exponential(multiply((pair){x - whole, 0}, ln2)));
  return scaled(sum.high + sum.low, (int)whole);
}

double NAMED(expm1)(double x) {
  int power;
  if (is_nan(x) || x == 0) return x;
  if (x > 710) return INFINITY;
  if (x < -50) return -1;
  pair less_one = split_exponential((pair){x, 0}, &power);
  if (power == 0) return less_one.high + less_one.low;
  if (power > 1000) return scaled(1 + less_one.high, power);
  double unit = scaled(1, power);
  pair sum = add(sum_of(unit, -1), (pair){less_one.high * unit, less_one.low * unit});
  return sum.high + sum.low;
}

// The logarithm of a / b, both positive, with a quotient near 1: 2 (s + s³/3 + s⁵/5 + …), s = (a - b) / (a + b).
static pair logarithm_of_quotient(pair difference, pair sum) {
  pair s = divide(difference, sum);
  pair square = multiply(s, s);
  double x = square.high;
  double rest = x * x
                * POLYNOMIAL(x, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21,
                             1.0 / 23);
  static const pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  pair series = add(multiply(square, third), (pair){rest, 0});
  pair half = add(s, multiply(s, series));
  return (pair){2 * half.high, 2 * half.low};
}

// The logarithm of a positive, finite number.
static pair logarithm(double x) {
  int power = 0;
  if (x < 0x1p-1022) x *= 0x1p54, power = -54;
  uint64_t bits = bits_of(x);
  power += (int)(bits >> 52) - 1023;
  double part = of_bits((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
  if (part > 1.4142135623730951) part /= 2, power++;
  pair near = logarithm_of_quotient(sum_of(part, -1), sum_of(part, 1));
  return add(multiply((pair){power, 0}, ln2), near);
}

// Whether a logarithm is no pair; then `*result` is it.
static int is_special(double x, double *result) {
  if (x > 0 && x < INFINITY) return 0;
  *result = x == 0 ? -INFINITY : x < 0 ? NOT_A_NUMBER : x;
  return 1;
}

static double logarithm_times(double x, pair factor) {
  double special;
  if (is_special(x, &special)) return special;
  pair result = multiply(logarithm(x), factor);
  return result.high + result.low;
}

double NAMED(log)(double x) { return logarithm_times(x, (pair){1, 0}); }
double NAMED(log10)(double x) { return logarithm_times(x, (pair){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}); }

double NAMED(log2)(double x) {
  // Of a power of two it is exact.
  double whole = (double)(int)(bits_of(x) >> 52) - 1023;
  if (x >= 0x1p-1022 && x < INFINITY && (bits_of(x) & 0xFFFFFFFFFFFFFull) == 0) return whole;
  return logarithm_times(x, (pair){0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56});
}

double NAMED(log1p)(double x) {
  double special;
  if (x == 0) return x;
  if (is_special(1 + x, &special)) return special;
  pair result = absolute(x) < 0.3 ? logarithm_of_quotient((pair){x, 0}, sum_of(2, x)) : logarithm(1 + x);
  if (absolute(x) >= 0.3) {
    pair sum = sum_of(1, x);
    result = add(result, (pair){sum.low / sum.high, 0});
  }
  return result.high + result.low;
}

double NAMED(pow)(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (is_nan(x) || is_nan(y)) return NOT_A_NUMBER;
  double size = absolute(x);
  int is_whole = absolute(y) >= 0x1p53 || __builtin_trunc(y) == y;
  int is_odd = is_whole && absolute(y) < 0x1p53 && ((int64_t)y & 1);
  double sign = __builtin_signbit(x) && is_odd ? -1 : 1;
  if (absolute(y) == INFINITY) return size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
  if (size == 0) return y > 0 ? sign * 0 : sign * INFINITY;
  if (size == INFINITY) return y > 0 ? sign * INFINITY : sign * 0;
  if (x < 0 && !is_whole) return NOT_A_NUMBER;
  if (size == 1 || y == 1) return size == 1 ? sign : x;
  if (y == 2) return x * x;
  pair power = logarithm(size);
  if (absolute(power.high * y) > 1000) return (power.high > 0) == (y > 0) ? sign * INFINITY : sign * 0;
  return sign * exponential(multiply(power, (pair){y, 0}));
}

double NAMED(cbrt)(double x) {
  if (is_nan(x) || x == 0 || absolute(x) == INFINITY) return x;
  pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  double root = exponential(multiply(logarithm(absolute(x)), third));
  return x < 0 ? -root : root;
}

// ---- Hyperbolic functions

double NAMED(sinh)(double x) {
  double size = absolute(x);
  if (is_nan(x) || size == INFINITY || x == 0) return x;
  if (size > 700) return __builtin_copysign(NAMED(exp)(size / 2) / 2 * NAMED(exp)(size / 2), x);
  double e = NAMED(expm1)(size);
  return __builtin_copysign((e + e / (e + 1)) / 2, x);
}

double NAMED(cosh)(double x) {
  double size = absolute(x);
  if (size > 700) return NAMED(exp)(size / 2) / 2 * NAMED(exp)(size / 2);
  double e = NAMED(exp)(size);
  return e / 2 + 0.5 / e;
}

double NAMED(tanh)(double x) {
  double size = absolute(x);
  if (is_nan(x) || x == 0) return x;
  if (size > 20) return __builtin_copysign(1, x);
  double e = NAMED(expm1)(2 * size);
  return __builtin_copysign(e / (e + 2), x);
}

double NAMED(asinh)(double x) {
  double size = absolute(x);
  if (is_nan(x) || x == 0 || size == INFINITY) return x;
  if (size > 0x1p28) return __builtin_copysign(NAMED(log)(size) + ln2.high, x);
  return __builtin_copysign(NAMED(log1p)(size + size * size / (1 + __builtin_sqrt(size * size + 1))), x);
}

double NAMED(acosh)(double x) {
  if (x > 0x1p28) return NAMED(log)(x) + ln2.high;
  return x < 1 ? NOT_A_NUMBER : NAMED(log1p)((x - 1) + __builtin_sqrt((x - 1) * (x + 1)));
}

double NAMED(atanh)(double x) {
  double size = absolute(x);
  if (x == 0) return x;
  return __builtin_copysign(NAMED(log1p)(2 * size / (1 - size)) / 2, x);
}

// ---- Circular functions

static const pair half_pi = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};

double NAMED(fmod)(double x, double y) {
  double size = absolute(x), step = absolute(y);
  if (is_nan(x) || is_nan(y) || size == INFINITY || step == 0) return NOT_A_NUMBER;
  if (size < step || step == INFINITY) return x;
  // Subtracts multiples by powers of two, the largest first. Each difference is exact.
  double multiple = step;
  while (multiple <= size / 2) multiple *= 2;
  for (;; multiple /= 2) {
    if (size >= multiple) size -= multiple;
    if (multiple == step) break;
  }
  return __builtin_copysign(size, x);
}

// x less the nearest multiple of π/2, and which multiple that is, modulo 4. From 2^50 on, where a double is no phase
// any more, the result is a phase, but not the right one.
static pair quarter(double x, int *turns) {
  if (absolute(x) < 0.78) return *turns = 0, (pair){x, 0};
  if (absolute(x) >= 0x1p50) x = NAMED(fmod)(x, 4 * half_pi.high);
  double count = __builtin_rint(x * 0x1.45f306dc9c883p-1);
  *turns = (int)((int64_t)count & 3);
  pair first = product_of(-count, half_pi.high), second = product_of(-count, half_pi.low);
  pair rest = sum_of(x, first.high);
  rest = add(rest, (pair){first.low, 0});
  return add(rest, add(second, (pair){-count * -0x1.f1976b7ed8fbcp-110, 0}));
}

static pair small_sine(pair x) {
  double square = x.high * x.high;
  double rest = square * square * x.high
                * POLYNOMIAL(square, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800,
                             -1.0 / 1307674368000, 1.0 / 355687428096000);
  static const pair sixth = {-0x1.5555555555555p-3, -0x1.5555555555555p-57};
  pair cube = multiply(multiply(multiply(x, x), x), sixth);
  return add(add(x, cube), (pair){rest, 0});
}

static pair small_cosine(pair x) {
  pair square = multiply(x, x);
  double s = square.high;
  double rest = s * s
                * POLYNOMIAL(s, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200,
                             1.0 / 20922789888000, -1.0 / 6402373705728000);
  pair first = add((pair){1, 0}, (pair){-square.high / 2, -square.low / 2});
  return add(first, (pair){rest, 0});
}

// sin(x + turns · π/2)
static pair sine(double x, int turns) {
  int own;
  pair rest = quarter(x, &own);
  turns += own;
  pair result = turns & 1 ? small_cosine(rest) : small_sine(rest);
  return turns & 2 ? (pair){-result.high, -result.low} : result;
}

double NAMED(sin)(double x) {
  if (!(absolute(x) < INFINITY)) return NOT_A_NUMBER;
  if (absolute(x) < 0x1p-27) return x;
  pair result = sine(x, 0);
  return result.high + result.low;
}

double NAMED(cos)(double x) {
  if (!(absolute(x) < INFINITY)) return NOT_A_NUMBER;
  pair result = sine(x, 1);
  return result.high + result.low;
}

double NAMED(tan)(double x) {
  if (!(absolute(x) < INFINITY)) return NOT_A_NUMBER;
  if (absolute(x) < 0x1p-27) return x;
  pair result = divide(sine(x, 0), sine(x, 1));
  return result.high + result.low;
}

// The angle of the point (x, y), from its sine and cosine at a coarse estimate.
static double angle_of(double y, double x) {
  double rise = absolute(y), run = absolute(x);
  if (is_nan(x) || is_nan(y)) return NOT_A_NUMBER;
  if (rise == INFINITY && run == INFINITY) rise = run = 1;
  double larger = rise > run ? rise : run;
  if (larger == 0) return __builtin_copysign(__builtin_signbit(x) ? 2 * half_pi.high : 0, y);
  if (rise == INFINITY || (run < INFINITY && run / rise < 0x1p-60)) return __builtin_copysign(half_pi.high, y);
  if (run == INFINITY || rise / run < 0x1p-60)
    return __builtin_copysign(__builtin_signbit(x) ? 2 * half_pi.high : rise / run, y);
  int power = 1023 - (int)(bits_of(larger) >> 52);
  rise = scaled(rise, power), run = scaled(run, power);
  double ratio = rise < run ? rise / run : run / rise;
  double estimate = ratio * (half_pi.high / 2 + 0.273 * (1 - ratio));
  if (rise >= run) estimate = half_pi.high - estimate;
  if (__builtin_signbit(x)) estimate = 2 * half_pi.high - estimate, run = -run;
  pair s = sine(estimate, 0), c = sine(estimate, 1), minus = {-run, 0};
  pair across = add(multiply((pair){rise, 0}, c), multiply(minus, s));
  pair along = add(multiply((pair){run, 0}, c), multiply((pair){rise, 0}, s));
  pair tangent = divide(across, along);
  double square = tangent.high * tangent.high;
  double rest = tangent.high * square * POLYNOMIAL(square, -1.0 / 3, 1.0 / 5, -1.0 / 7);
  pair angle = add(add((pair){estimate, 0}, tangent), (pair){rest, 0});
  return __builtin_copysign(angle.high + angle.low, y);
}

double NAMED(atan2)(double y, double x) { return angle_of(y, x); }
double NAMED(atan)(double x) { return angle_of(x, 1); }
double NAMED(asin)(double x) { return angle_of(x, __builtin_sqrt((1 - x) * (1 + x))); }
double NAMED(acos)(double x) { return 2 * angle_of(__builtin_sqrt(1 - x), __builtin_sqrt(1 + x)); }

// ---- Others that are no instruction of the processor

double NAMED(round)(double x) {
  double whole = __builtin_trunc(x);
  return absolute(x - whole) >= 0.5 ? whole + __builtin_copysign(1, x) : __builtin_copysign(whole, x);
}

double NAMED(remainder)(double x, double y) {
  double step = absolute(y), part = absolute(x);
  if (is_nan(y) || !(part < INFINITY)) return NOT_A_NUMBER;
  if (step < 0x1p1022) part = NAMED(fmod)(part, 2 * step);
  // Halves of the step go to the even multiple.
  if (part - step >= step / 2) part -= 2 * step;
  else if (part > step / 2) part -= step;
  return __builtin_copysign(1, x) * part;
}

double NAMED(hypot)(double x, double y) {
  double a = absolute(x), b = absolute(y);
  if (a == INFINITY || b == INFINITY) return INFINITY;
  double larger = a > b ? a : b;
  if (!(larger > 0)) return is_nan(a) ? a : b;
  int power = 1023 - (int)(bits_of(larger) >> 52);
  a = scaled(a, power), b = scaled(b, power);
  pair sum = add(product_of(a, a), product_of(b, b));
  return scaled(__builtin_sqrt(sum.high), -power);
}

double NAMED(ldexp)(double x, int power) { return scaled(x, power < -4000 ? -4000 : power > 4000 ? 4000 : power); }

// ---- Whole numbers of 128 bits, as the compiler asks for them: the low half and the high half, and a count of bits

#ifdef __wasm__
__int128 __ashlti3(__int128 number, int count) {
  uint64_t low = (uint64_t)number, high = (uint64_t)(number >> 64);
  if (count == 0) return number;
  high = count >= 64 ? low << (count - 64) : high << count | low >> (64 - count);
  low = count >= 64 ? 0 : low << count;
  union { uint64_t halves[2]; __int128 number; } result = {{low, high}};
  return result.number;
}

__int128 __lshrti3(__int128 number, int count) {
  uint64_t low = (uint64_t)number, high = (uint64_t)(number >> 64);
  if (count == 0) return number;
  low = count >= 64 ? high >> (count - 64) : low >> count | high << (64 - count);
  high = count >= 64 ? 0 : high >> count;
  union { uint64_t halves[2]; __int128 number; } result = {{low, high}};
  return result.number;
}

__int128 __multi3(__int128 a, __int128 b) {
  uint64_t a0 = (uint32_t)a, a1 = (uint64_t)a >> 32, b0 = (uint32_t)b, b1 = (uint64_t)b >> 32;
  uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
  uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
  high += (uint64_t)a * (uint64_t)(b >> 64) + (uint64_t)(a >> 64) * (uint64_t)b;
  union { uint64_t halves[2]; __int128 number; } result = {{other << 32 | (uint32_t)low, high}};
  return result.number;
}
#endif

// ---- The functions above for 32-bit floats

#define OF_ONE(name) \
  float NAMED(name##f)(float x) { return (float)NAMED(name)(x); }
#define OF_TWO(name) \
  float NAMED(name##f)(float x, float y) { return (float)NAMED(name)(x, y); }
OF_ONE(acos)
OF_ONE(asin)
OF_ONE(atan)
OF_ONE(cbrt)
OF_ONE(cos)
OF_ONE(cosh)
OF_ONE(exp)
OF_ONE(exp2)
OF_ONE(expm1)
OF_ONE(log)
OF_ONE(log10)
OF_ONE(log1p)
OF_ONE(log2)
OF_ONE(round)
OF_ONE(sin)
OF_ONE(sinh)
OF_ONE(tan)
OF_ONE(tanh)
OF_TWO(atan2)
OF_TWO(fmod)
OF_TWO(hypot)
OF_TWO(pow)
