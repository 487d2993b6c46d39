/* Reads a command's words and writes an answer, character by character: nothing of a line is kept, for the controller
   has no room for one. Bytes are written in hexadecimal, "-" for none; numbers in decimal. What is not as it should be
   ends in `filter_fail`. */
#ifndef TAMSK_WORDS_H
#define TAMSK_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* What `filter_get` gives when nothing more will come. */
#define FILTER_END (-1)

/* What the program around must have: the next character that comes, waiting for it; a character to send; and the end
   after a line that is no command, which does not come back. */
int filter_get(void);
void filter_put(char character);
_Noreturn void filter_fail(const char *what);

/* The longest name of a command, its closing zero included. */
#define NAME_ROOM 10

/* The first word of the next line, with room for NAME_ROOM characters; false when no line is left. */
bool begin_line(char *name);

/* To be called behind a line's last word. */
void end_line(void);

/* The next word as a number, -2^31 to 2^32 - 1, modulo 2^32; of that the lower 16 or 8 bits, or with its sign. */
uint32_t number_32(void);
uint16_t number_16(void);
uint8_t number_8(void);
int32_t signed_number(void);

/* The next word as exactly so many bytes. */
void read_bytes(uint8_t *into, uint8_t count);

/* The next word as any number of bytes: its beginning, and its next byte; false at its end. */
void begin_word(void);
bool byte_of_word(uint8_t *byte);

/* Words of an answer: text as it is, a number, bytes. */
void put_text(const char *text);
void put_number(uint32_t value);
void put_bytes(const uint8_t *bytes, uint8_t count);

#endif
