/* How libFuzzer changes an input: a third of the times as it does with any bytes, else within a frame, whose CRC and
   COBS are made right again. A check of 16 bits is met by chance once in 65 536 times; so what lies behind it is
   reached as well. COBS and CRC are written anew here: those of the core are what is tried. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Content bytes at most, the CRC left out: some more than the 86 that fit in a frame. */
#define CONTENT_MOST 96

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* A number below `count`, and the next seed. */
static size_t draw(uint32_t *seed, size_t count)
{
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return (*seed >> 8) % count;
}

static uint16_t crc_of(const uint8_t *bytes, size_t count)
{
    uint16_t crc = 0xFFFF;
    int bit;

    while (count != 0) {
        crc = (uint16_t)(crc ^ *bytes++ << 8);
        for (bit = 0; bit < 8; bit++) {
            crc = (uint16_t)((crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1);
        }
        count--;
    }
    return crc;
}

/* The content of a frame without its zero byte and CRC, as far as it has one; at most CONTENT_MOST bytes. */
static size_t decode(const uint8_t *piece, size_t count, uint8_t *content)
{
    size_t length = 0;
    size_t at = 0;

    while (at < count) {
        size_t end = at + piece[at];

        for (at++; at < end && at < count && length < CONTENT_MOST + 2; at++) {
            content[length++] = piece[at];
        }
        if (at < count && length < CONTENT_MOST + 2) {
            content[length++] = 0;
        }
        if (length == CONTENT_MOST + 2) {
            break;
        }
    }
    return length < 2 ? 0 : length - 2;
}

/* COBS of a content of less than 254 bytes; its length. */
static size_t encode(const uint8_t *content, size_t count, uint8_t *piece)
{
    size_t code = 0;
    size_t at = 1;

    while (count != 0) {
        if (*content == 0) {
            piece[code] = (uint8_t)(at - code);
            code = at;
        } else {
            piece[at] = *content;
        }
        at++;
        content++;
        count--;
    }
    piece[code] = (uint8_t)(at - code);
    return at;
}

/* A SET whose values stand at the limits of PROTOCOL.md section 5.2 or one beside them; its length. */
static size_t set_at_the_limits(uint8_t *content, uint32_t *seed)
{
    static const uint16_t shortest[] = {2499, 2500, 5000, 49999, 50000, 50001};
    static const uint16_t longest[] = {4999, 5000, 49999, 50000, 60000, 60001};
    uint16_t chosen_shortest = shortest[draw(seed, sizeof shortest / sizeof shortest[0])];
    uint16_t chosen_longest = longest[draw(seed, sizeof longest / sizeof longest[0])];

    content[0] = 0x12;
    content[1] = (uint8_t)draw(seed, 256);
    content[2] = (uint8_t)draw(seed, 256);
    content[3] = (uint8_t)draw(seed, 256);
    content[4] = (uint8_t)draw(seed, 256);
    content[5] = (uint8_t)chosen_shortest;
    content[6] = (uint8_t)(chosen_shortest >> 8);
    content[7] = (uint8_t)chosen_longest;
    content[8] = (uint8_t)(chosen_longest >> 8);
    return 9;
}

/* A SET_BOARD_ID of an id that a board takes, or of one that it does not (section 5.5); its length. */
static size_t set_board_id(uint8_t *content, uint32_t *seed)
{
    static const uint32_t ids[] = {0, 1, UINT32_C(0x80000000), UINT32_C(0xFFFFFFFE), UINT32_C(0xFFFFFFFF)};
    uint32_t chosen = ids[draw(seed, sizeof ids / sizeof ids[0])];

    content[0] = 0x15;
    content[1] = (uint8_t)draw(seed, 256);
    content[2] = (uint8_t)chosen;
    content[3] = (uint8_t)(chosen >> 8);
    content[4] = (uint8_t)(chosen >> 16);
    content[5] = (uint8_t)(chosen >> 24);
    return 6;
}

/* A SET_THRESHOLDS of a chip that there is or not, with thresholds beside their limit (section 5.6); its length. */
static size_t set_thresholds(uint8_t *content, uint32_t *seed)
{
    static const uint8_t thresholds[] = {0, 5, 12, 255, 0, 5, 12, 4};
    size_t kinds = draw(seed, 2) == 0 ? sizeof thresholds : sizeof thresholds - 1;
    size_t place;

    content[0] = 0x16;
    content[1] = (uint8_t)draw(seed, 256);
    content[2] = (uint8_t)draw(seed, 9);
    for (place = 3; place < 11; place++) {
        content[place] = thresholds[draw(seed, kinds)];
    }
    return 11;
}

/* A frame with its content changed and all else right. */
static size_t change_frame(uint8_t *piece, size_t count, uint32_t *seed)
{
    uint8_t content[CONTENT_MOST + 2];
    size_t length = decode(piece, count, content);
    uint16_t crc;

    if (draw(seed, 8) == 0) {
        length = set_at_the_limits(content, seed);
    } else if (draw(seed, 16) == 0) {
        length = set_board_id(content, seed);
    } else if (draw(seed, 16) == 0) {
        length = set_thresholds(content, seed);
    } else {
        length = LLVMFuzzerMutate(content, length, CONTENT_MOST);
    }
    if (draw(seed, 4) == 0 && length != 0) {
        content[0] = (uint8_t)(0x11 + draw(seed, 6)); /* one that the host sends */
    }
    crc = crc_of(content, length);
    content[length] = (uint8_t)(crc >> 8);
    content[length + 1] = (uint8_t)crc;
    return encode(content, length + 2, piece);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    uint8_t piece[CONTENT_MOST + 4];
    uint32_t state = seed;
    size_t begin;
    size_t end;
    size_t count;

    if (draw(&state, 3) == 0) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    /* The piece between two zero bytes that some place is in. */
    begin = size == 0 ? 0 : draw(&state, size);
    while (begin > 0 && data[begin - 1] != 0) {
        begin--;
    }
    end = begin;
    while (end < size && data[end] != 0) {
        end++;
    }
    if (end - begin > sizeof piece) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    memcpy(piece, data + begin, end - begin);
    count = change_frame(piece, end - begin, &state);
    if (size - (end - begin) + count + 1 > max_size) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    memmove(data + begin + count, data + end, size - end);
    memcpy(data + begin, piece, count);
    size = size - (end - begin) + count;
    if (begin + count == size) {
        data[size++] = 0; /* a frame at the end, where a zero byte had not come */
    }
    return size;
}
