/* The firmware's version, as HELLO says it. */
#ifndef TAMSK_VERSION_H
#define TAMSK_VERSION_H

#define FIRMWARE_MAJOR 2
#define FIRMWARE_MINOR 0
#define FIRMWARE_PATCH 0

#endif
