// What {fmt}'s library has and we use, compiled from its headers: into the program, which then does without
// that library.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
#if FMT_VERSION >= 100000
using arguments_of_char = vformat_args<>::type;
#else
using arguments_of_char = basic_format_args<FMT_BUFFER_CONTEXT(char)>;
#endif
template FMT_API auto dragonbox::to_decimal(float value) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double value) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl(locale_ref place) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref place) -> char;
template FMT_API void buffer<char>::append(const char* begin, const char* end);
template FMT_API void vformat_to(buffer<char>& to, string_view format, arguments_of_char arguments,
                                 locale_ref place);
}  // namespace detail
FMT_END_NAMESPACE
