/* Commands that do harm to the board (README.md): broken parts and wires, noise, a program that hangs, a supply that
 * fails. */
#ifndef EMULATOR_FAULTS_H
#define EMULATOR_FAULTS_H

#include <stdio.h>

#include "board.h"

/* Each carries a command out and answers it; `words` follow its name and end with a null pointer. */
void act_converter(struct board *board, char **words, FILE *answer);
void act_select(struct board *board, char **words, FILE *answer);
void act_noise(struct board *board, char **words, FILE *answer);
void act_seed(struct board *board, char **words, FILE *answer);
void act_hang(struct board *board, char **words, FILE *answer);
void act_power(struct board *board, char **words, FILE *answer);
void act_brownout(struct board *board, char **words, FILE *answer);
void act_eeprom_worn(struct board *board, char **words, FILE *answer);
void act_receive_damage(struct board *board, char **words, FILE *answer);
void act_receive_break(struct board *board, char **words, FILE *answer);

#endif
