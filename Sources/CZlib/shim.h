// The door to zlib: what Swift cannot call by itself is wrapped here.
#ifndef PASSAGE_CZLIB_SHIM_H
#define PASSAGE_CZLIB_SHIM_H

#include <zlib.h>

// `inflateInit2` is a macro. Negative window bits: raw DEFLATE, without zlib's header and checksum.
static inline int passage_inflate_init_raw(z_stream *stream) {
  return inflateInit2(stream, -MAX_WBITS);
}

// `deflateInit2` is a macro. Its other arguments are those of `deflateInit`.
static inline int passage_deflate_init_raw(z_stream *stream) {
  return deflateInit2(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

#endif
