// The door to libmd, the message digests of BSD.
#ifndef PASSAGE_CDIGESTS_SHIM_H
#define PASSAGE_CDIGESTS_SHIM_H

#include <sha1.h>
#include <sha2.h>

#endif
