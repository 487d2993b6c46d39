#include "lamps.h"

#include "machine.h"

void lamp_set(struct lamp *lamp, enum lamp_kind kind, double microampere, double hertz, double duty, uint64_t cycle) {
    *lamp = (struct lamp){kind, microampere, hertz / CYCLES_PER_SECOND, duty, cycle};
}

/* 1 - cos of a turn's share, 0 to 1, by the four kinds of arithmetic alone: cos is even about the middle of a turn, where
 * its series is short enough. */
static double risen(double share) {
    double angle = (share < 0.5 ? share : 1 - share) * 6.283185307179586;
    bool far = angle > 1.5707963267948966;
    double square = far ? (3.141592653589793 - angle) * (3.141592653589793 - angle) : angle * angle;
    double cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))));
    return far ? 1 + cosine : 1 - cosine;
}

double lamp_light(const struct lamp *lamp, uint64_t cycle) {
    if (lamp->kind == LAMP_OFF) {
        return 0;
    }
    double turns = (double)(cycle - lamp->since) * lamp->turns;
    double share = turns - (double)(uint64_t)turns;
    if (lamp->kind == LAMP_SINE) {
        return lamp->microampere * risen(share);
    }
    return share < lamp->duty ? lamp->microampere : 0;
}

bool lamps_any(const struct lamps *lamps) {
    for (unsigned lamp = 0; lamp < LAMPS; lamp++) {
        if (lamps->lamp[lamp].kind != LAMP_OFF) {
            return true;
        }
    }
    return false;
}
