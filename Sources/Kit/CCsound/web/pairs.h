// Numbers of twice the precision ("pairs"): sums of two doubles, high + low, of which low is at most half a unit of the
// last bit of high. The compiler must not reorder or contract these operations.
#ifndef OPCODEKIT_PAIRS_H
#define OPCODEKIT_PAIRS_H

#include <stdint.h>

typedef struct {
  double high, low;
} pair;

static uint64_t bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
static double of_bits(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
static int is_nan(double x) { return x != x; }
static double absolute(double x) { return __builtin_fabs(x); }
#define INFINITY __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")

// x · 2^power. The result is rounded once.
static double scaled(double x, int power) {
  if (power > 1023) x *= 0x1p1023, power -= 1023;
  if (power > 1023) x *= 0x1p1023, power -= 1023;
  // A step that leaves 53 bits above the smallest number, so that only the last step rounds.
  if (power < -1022) x *= 0x1p-969, power += 969;
  if (power < -1022) x *= 0x1p-969, power += 969;
  if (power < -1022) return x * 0;
  return x * of_bits((uint64_t)(power > 1023 ? 2046 : power + 1023) << 52);
}

static pair sum_of_ordered(double a, double b) {  // |a| is the greater, or a is 0
  double high = a + b;
  return (pair){high, b - (high - a)};
}
static pair sum_of(double a, double b) {
  double high = a + b, part = high - a;
  return (pair){high, (a - (high - part)) + (b - part)};
}
static pair product_of(double a, double b) {
  double high = a * b, split = 0x1p27 + 1;
  double a1 = split * a, b1 = split * b;
  a1 -= a1 - a, b1 -= b1 - b;
  double a2 = a - a1, b2 = b - b1;
  return (pair){high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
}
static pair add(pair a, pair b) {
  pair sum = sum_of(a.high, b.high);
  return sum_of_ordered(sum.high, sum.low + (a.low + b.low));
}
static pair multiply(pair a, pair b) {
  pair product = product_of(a.high, b.high);
  return sum_of_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}
static pair divide(pair a, pair b) {
  double first = a.high / b.high;
  pair product = multiply((pair){first, 0}, b);
  double rest = ((a.high - product.high) - product.low) + a.low;
  return sum_of_ordered(first, rest / b.high);
}

// a[0] + a[1] x + … + a[count - 1] x^(count - 1)
static double polynomial(double x, const double *a, int count) {
  double sum = a[count - 1];
  for (int index = count - 2; index >= 0; index--) sum = sum * x + a[index];
  return sum;
}
#define POLYNOMIAL(x, ...)                               \
  ({                                                     \
    static const double terms[] = {__VA_ARGS__};         \
    polynomial(x, terms, sizeof terms / sizeof *terms);  \
  })

#endif
