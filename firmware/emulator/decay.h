/* exp(-x) by the four kinds of arithmetic alone: IEEE 754 says to the last bit what these give, and leaves a libm's exp()
 * free in it. */
#ifndef EMULATOR_DECAY_H
#define EMULATOR_DECAY_H

/* What is left of 1 after x time constants, x from 0 on: exp(-x) to about 1e-15 of itself, 0 beyond x = 700. */
double decay(double x);

#endif
