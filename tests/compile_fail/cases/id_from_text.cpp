// A text becomes an id only where it says so.
#include "gpusel/base/id.h"

using namespace gpusel;

#ifdef BAD
GpuId gpu = "nvidia-t4-16gb";
#else
GpuId gpu("nvidia-t4-16gb");
#endif
