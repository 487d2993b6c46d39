/* The portable core as a program on the host: the commands of core_commands.h on its standard input, the answers on
   its standard output. Built with the sanitisers: whatever the core does wrong ends the program. A line that is no
   command ends it too. */
#include <stdio.h>
#include <stdlib.h>

#include "core_commands.h"
#include "words.h"

int filter_get(void)
{
    int character = getchar();

    return character == EOF ? FILTER_END : character;
}

void filter_put(char character)
{
    putchar(character);
}

void filter_fail(const char *what)
{
    fprintf(stderr, "core_filter: %s\n", what);
    exit(1);
}

int main(void)
{
    while (core_command()) {
        fflush(stdout);
    }
    return 0;
}
