#pragma once
// A complex number of any kind of parts. For kernels, too, NVRTC's among them.

namespace countpm {

template <class Part>
struct Complex {
  Part re;
  Part im;
};

}  // namespace countpm
