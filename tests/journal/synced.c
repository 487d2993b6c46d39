/* What a power cut would leave, for the tests: loaded before a program (LD_PRELOAD), it copies a file to a second
 * folder whenever the program has waited for that file to be on the disk, and the names in a folder whenever it has
 * waited for those. SYNCED_OF is the folder to watch, SYNCED_TO an existing one for the copies: each file's content
 * under the number of its inode, and "names", a line "INODE NAME" for each. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int (*sync_function)(int);

static void fail(const char *what)
{
    perror(what);
    abort();
}

static void copy_content(int from, const char *to)
{
    char block[65536];
    off_t at = 0;
    ssize_t got;
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (out < 0) {
        fail(to);
    }
    while ((got = pread(from, block, sizeof block, at)) > 0) {
        if (write(out, block, (size_t)got) != got) {
            fail(to);
        }
        at += got;
    }
    if (got < 0) {
        fail("read");
    }
    close(out);
}

static void list_names(const char *folder, const char *to)
{
    DIR *names = opendir(folder);
    FILE *out = fopen(to, "w");
    struct dirent *each;
    if (names == NULL || out == NULL) {
        fail(folder);
    }
    while ((each = readdir(names)) != NULL) {
        if (each->d_type == DT_REG) {
            fprintf(out, "%lu %s\n", (unsigned long)each->d_ino, each->d_name);
        }
    }
    fclose(out);
    closedir(names);
}

/* Each copy gets its name when it is whole: the program may be killed in the middle of it. */
static void note(int descriptor)
{
    const char *watched = getenv("SYNCED_OF");
    const char *copies = getenv("SYNCED_TO");
    char link[64], path[PATH_MAX], to[PATH_MAX], half[PATH_MAX];
    struct stat status;
    ssize_t length;
    if (watched == NULL || copies == NULL || fstat(descriptor, &status) != 0) {
        return;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    length = readlink(link, path, sizeof path - 1);
    if (length < 0) {
        return;
    }
    path[length] = '\0';
    if (strncmp(path, watched, strlen(watched)) != 0) {
        return;
    }
    snprintf(half, sizeof half, "%s/half", copies);
    if (S_ISDIR(status.st_mode)) {
        if (strcmp(path, watched) != 0) {
            return;
        }
        snprintf(to, sizeof to, "%s/names", copies);
        list_names(path, half);
    } else {
        snprintf(to, sizeof to, "%s/%lu", copies, (unsigned long)status.st_ino);
        /* A descriptor that was opened for writing only cannot be read. */
        int readable = open(link, O_RDONLY | O_CLOEXEC);
        if (readable < 0) {
            fail(path);
        }
        copy_content(readable, half);
        close(readable);
    }
    if (rename(half, to) != 0) {
        fail(to);
    }
}

static int sync_and_note(const char *name, int descriptor)
{
    sync_function real;
    int result;
    *(void **)&real = dlsym(RTLD_NEXT, name);
    result = real(descriptor);
    if (result == 0) {
        note(descriptor);
    }
    return result;
}

int fsync(int descriptor)
{
    return sync_and_note("fsync", descriptor);
}

int fdatasync(int descriptor)
{
    return sync_and_note("fdatasync", descriptor);
}
