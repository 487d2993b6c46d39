#include "decay.h"

#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be reckoned as doubles, not with more bits");

enum { TERMS = 14 };

/* ln 2 in two parts: k times the first, of 32 bits, is exact. */
static const double LN_2_HIGH = 0x1.62e42feep-1;
static const double LN_2_LOW = 0x1.a39ef35793c76p-33;
static const double PER_LN_2 = 0x1.71547652b82fep+0;

double decay(double x) {
    if (x > 700) {
        return 0;
    }
    int halvings = (int)(x * PER_LN_2 + 0.5);
    double rest = (x - halvings * LN_2_HIGH) - halvings * LN_2_LOW; /* -0.35 to 0.35 */
    double square = rest * rest, even = 1, odd = 1; /* powers, apart: neither sum waits for the other */
    for (int term = TERMS; term > 0; term -= 2) { /* 1 + square/2 (1 + square/12 (… )), 1 + square/6 (1 + square/20 (… )) */
        even = 1 + square / (term * (term - 1)) * even;
        odd = 1 + square / (term * (term + 1)) * odd;
    }
    double sum = even - rest * odd;
    return halvings == 0 ? sum : ldexp(sum, -halvings); /* exact */
}
