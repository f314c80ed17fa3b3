// Keeps other processes out of a folder that this one writes, for as long as the object or the process lives.
//
// Advisory, between processes that ask. On file systems that have no such locks it keeps nobody out. The
// kernel releases it however the process ends, so nothing stale stays behind. Thread safe.
#pragma once

#include <filesystem>
#include <string_view>

namespace persia {

class FolderLock {
 public:
  // UserError naming `purpose` ("output") if another process holds it. Pre: the folder exists.
  FolderLock(const std::filesystem::path& folder, std::string_view purpose);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace persia
