#include "words.h"

/* What ended the word before: a space, or what ends the line. */
static int ended_by;

static bool ends_line(int character)
{
    return character == '\n' || character == FILTER_END;
}

/* The next character of a word, or 0 at the word's end. */
static char of_word(void)
{
    int character = filter_get();

    if (character == ' ' || ends_line(character)) {
        ended_by = character;
        return 0;
    }
    return (char)character;
}

bool begin_line(char *name)
{
    uint8_t length = 0;

    ended_by = ' ';
    while (length < NAME_ROOM - 1) {
        name[length] = of_word();
        if (name[length] == 0) {
            return length != 0 || ended_by != FILTER_END;
        }
        length++;
    }
    filter_fail("no such command");
}

void end_line(void)
{
    if (!ends_line(ended_by)) {
        filter_fail("a word too many");
    }
}

void begin_word(void)
{
    if (ends_line(ended_by)) {
        filter_fail("a word is missing");
    }
}

static uint8_t digit(char character, uint8_t base)
{
    uint8_t value = UINT8_MAX;

    if (character >= '0' && character <= '9') {
        value = (uint8_t)(character - '0');
    } else if (character >= 'a' && character <= 'f') {
        value = (uint8_t)(character - 'a' + 10);
    }
    if (value >= base) {
        filter_fail("that is no number and no byte");
    }
    return value;
}

uint32_t number_32(void)
{
    uint32_t value = 0;
    bool negative;
    char character;

    begin_word();
    character = of_word();
    negative = character == '-';
    if (negative) {
        character = of_word();
    }
    do {
        value = value * 10 + digit(character, 10);
        character = of_word();
    } while (character != 0);
    return negative ? UINT32_C(0) - value : value;
}

int32_t signed_number(void)
{
    return (int32_t)number_32();
}

uint16_t number_16(void)
{
    return (uint16_t)number_32();
}

uint8_t number_8(void)
{
    return (uint8_t)number_32();
}

bool byte_of_word(uint8_t *byte)
{
    char high = of_word();

    if (high == '-') {
        high = of_word();
        if (high != 0) {
            filter_fail("bytes behind a word for none");
        }
    }
    if (high == 0) {
        return false;
    }
    *byte = (uint8_t)(digit(high, 16) << 4 | digit(of_word(), 16));
    return true;
}

void read_bytes(uint8_t *into, uint8_t count)
{
    uint8_t byte;

    begin_word();
    while (byte_of_word(&byte)) {
        if (count == 0) {
            filter_fail("too many bytes");
        }
        *into++ = byte;
        count--;
    }
    if (count != 0) {
        filter_fail("too few bytes");
    }
}

void put_text(const char *text)
{
    while (*text != '\0') {
        filter_put(*text++);
    }
}

void put_number(uint32_t value)
{
    char digits[10]; /* of 2^32 - 1 */
    uint8_t count = 0;

    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count != 0) {
        filter_put(digits[--count]);
    }
}

void put_bytes(const uint8_t *bytes, uint8_t count)
{
    static const char digits[] = "0123456789abcdef";

    if (count == 0) {
        filter_put('-');
    }
    while (count != 0) {
        filter_put(digits[*bytes >> 4]);
        filter_put(digits[*bytes & 0x0F]);
        bytes++;
        count--;
    }
}
