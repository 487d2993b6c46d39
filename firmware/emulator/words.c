#include "words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

bool number(const char *word, int64_t least, int64_t most, int64_t *value, FILE *answer) {
    char *end;
    errno = 0;
    long long result = strtoll(word, &end, 10);
    if (errno != 0 || end == word || *end != '\0' || result < least || result > most) {
        fprintf(answer, "error %.40s is no whole number from %" PRId64 " to %" PRId64 "\n", word, least, most);
        return false;
    }
    *value = result;
    return true;
}

void answer_time(struct board *board, FILE *answer) {
    fprintf(answer, "ok %" PRIu64 "\n", (uint64_t)board->machine.avr->cycle);
}
