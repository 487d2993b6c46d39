/* emulator ELF SOCKET: the board with the program of the ELF file, controlled over a Unix socket that is made at that
 * path. It serves one client and ends when that one closes the connection. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "board.h"
#include "commands.h"

static struct board board;

static int accept_one_client(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (listener < 0) {
        return -1;
    }
    int client = -1;
    if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0) {
        if (listen(listener, 1) == 0) {
            client = accept(listener, NULL, NULL);
        }
        int reason = errno;
        unlink(path);
        errno = reason;
    }
    int reason = errno;
    close(listener);
    errno = reason;
    return client;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 3) {
        fprintf(stderr, "usage: emulator ELF SOCKET\n");
        return 2;
    }
    if (!board_open(&board, arguments[1])) {
        return 1;
    }
    int client = accept_one_client(arguments[2]);
    FILE *commands = client < 0 ? NULL : fdopen(client, "r");
    FILE *answers = commands == NULL ? NULL : fdopen(dup(client), "w");
    if (answers == NULL) {
        fprintf(stderr, "%s: %s\n", arguments[2], strerror(errno));
        return 1;
    }
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, commands)) > 0) {
        if (line[length - 1] == '\n') {
            line[length - 1] = '\0';
        }
        commands_do(&board, line, answers);
        if (fflush(answers) != 0) {
            break;
        }
    }
    free(line);
    fclose(answers);
    fclose(commands);
    board_close(&board);
    return 0;
}
