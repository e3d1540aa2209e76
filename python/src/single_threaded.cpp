// Debian's static Boost reads glibc's variable of this name as only a program may, not a shared library (from
// Debian 13 on the linker refuses). So the module has one of its own, which says what is always safe: that
// there may be threads.
extern "C" {
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
}
