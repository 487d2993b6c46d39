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
    double sum = 1;
    for (int term = TERMS; term > 0; term--) { /* 1 - rest (1 - rest/2 (1 - rest/3 (… ))) */
        sum = 1 - rest / term * sum;
    }
    return ldexp(sum, -halvings); /* exact */
}
