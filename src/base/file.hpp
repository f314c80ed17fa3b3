// Files that must survive a crash: write under a temporary name, sync, rename.
//
// Every function throws Error (UserError for a missing input file) with the path and the system's reason.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace persia {

// Whole file as text. UserError if it cannot be opened.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

// Post: the file holds exactly `text`, or is as it was before; data and name are on the disk.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// Flushes one file, or one directory (so that names in it are durable), to the disk.
void sync_path(const std::filesystem::path& path);

// Renames and syncs the parent directory. `to` is replaced if it is a file.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

// Makes the folder if need be and proves, with a file that it takes away again, that files can be made in it.
// UserError naming `purpose` ("output", "checkpoint.directory") if not.
void require_writable_folder(const std::filesystem::path& folder, std::string_view purpose);

}  // namespace persia
