#pragma once
// The one place that chooses what runs a method's GPU code: CUDA, the emulated GPU of the tests, or nothing.
//
// A method's GPU code is a template over the device. In gpu/ of its folder
//   form.hpp      has what the CPU side hands over, and the form, declared alone:
//                   template <class Device> struct PrunedForm { static Result make(Task, const GpuInfo&); };
//   job.hpp       defines Form<Device>::make, with all that is a template over the device;
//   launch.cu     instantiates it for CudaDevice: part of builds with CUDA. A form.hpp that calls on_gpu
//                 itself says so before (extern template): emulated.cpp has Form::make, but no CudaDevice;
//   emulated.cpp  instantiates it for CpuDevice: part of the tests' library countpm_emulated_gpu alone.
// The CPU side includes form.hpp and calls on_gpu<PrunedForm>(gpu, task): it neither compiles kernels nor
// knows which devices this build has.
#include <utility>

#include "kernels/gpu/device_info.hpp"

namespace countpm {

class CpuDevice;   // cpu_executor.hpp
class CudaDevice;  // cuda_device.cuh

/// Form<CpuDevice>::make, in programs that have the emulated GPU.
template <template <class Device> class Form>
inline constinit decltype(&Form<CpuDevice>::make) emulated_make = nullptr;

/// In emulated.cpp, an object of it: the program has this form.
template <template <class Device> class Form>
struct EmulatedForm {
  EmulatedForm() noexcept { emulated_make<Form> = &Form<CpuDevice>::make; }
};

/// UnableError: what this build has not got, and what does without.
[[noreturn]] void refuse_gpu(const GpuInfo& gpu);

/// Form::make(arguments..., gpu) for the kind of device that `gpu` is. Throws UnableError where this build
/// has no code for it.
template <template <class Device> class Form, class... Arguments>
decltype(auto) on_gpu(const GpuInfo& gpu, Arguments&&... arguments) {
  if (gpu.emulated && emulated_make<Form> != nullptr)
    return emulated_make<Form>(std::forward<Arguments>(arguments)..., gpu);
#ifdef COUNTPM_HAVE_CUDA
  if (!gpu.emulated) return Form<CudaDevice>::make(std::forward<Arguments>(arguments)..., gpu);
#endif
  refuse_gpu(gpu);
}

}  // namespace countpm
