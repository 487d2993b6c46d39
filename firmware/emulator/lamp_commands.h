/* The commands for light that comes and goes. */
#ifndef EMULATOR_LAMP_COMMANDS_H
#define EMULATOR_LAMP_COMMANDS_H

#include <stdio.h>

#include "board.h"

/* "lamp 0 sine 500 100000" (mean, millihertz), "lamp 0 pwm 100 400000 500" (peak, millihertz, duty in thousandths), "lamp
 * 0 off". */
void act_lamp(struct board *board, char **words, FILE *answer);

/* "share 0 12 500" or "share 0 all 500": thousandths of a lamp's light that fall on a sensor. */
void act_share(struct board *board, char **words, FILE *answer);

#endif
