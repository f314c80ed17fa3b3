// How the C library's heap treats memory that is freed.
#pragma once

namespace persia::sys {

// Buffers of megabytes come and go with every step. By default the library gives them back to the system and
// takes them anew, and every page is zeroed each time. From here on up to a GiB of freed memory stays with
// the process. Call it once, before threads start.
void keep_freed_memory();

}  // namespace persia::sys
