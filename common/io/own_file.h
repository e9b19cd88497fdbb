#pragma once
// Outputs that the user names (sheets, movies, pages, difference maps) replace a file only if Firn wrote it.

#include <filesystem>
#include <string>
#include <string_view>

namespace firn {

/// Text that such outputs contain in their first or last 64 kB: in a comment of the format's own. Earlier versions
/// wrote it without the kind.
inline constexpr std::string_view makerMark = "Made by Firn";

/// The mark of a kind of output, such as "sheet".
std::string markOf(std::string_view kind);

/// The same for previews, which are named by firn-render. No output that the user names replaces one.
inline constexpr std::string_view previewMark = "Rendered by Firn";
inline constexpr std::string_view rawPreviewMark = "Rendered by Firn, not denoised";  // begins with previewMark

/// What all messages say of a file that is in the place of an output.
inline constexpr std::string_view foreignText = "exists, and nothing shows that Firn wrote it";

/// Whether the first or last 64 kB of the file contain `mark`.
bool isMarked(const std::filesystem::path& path, std::string_view mark = makerMark);

/// Throws Error(File) when `path` exists and has neither the mark of this kind nor one without a kind.
void requireReplaceable(const std::filesystem::path& path, std::string_view kind);

}  // namespace firn
