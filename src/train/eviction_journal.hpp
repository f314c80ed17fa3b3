// What an owner's tables evict, one JSON object a line, in OUTPUT/evicted-OWNER.jsonl:
//
//   {"table":"user","step":1200,"id":18446744073709551615}
//   {"table":"user","step":1200,"id":7,"values":[0.25,-1.5],"state":[0.03,5.0]}   with eviction.journal rows
//
// `id` is the number as unsigned, or the hash of a text; `step` that of the look-up that needed the room;
// `state` stands in the order of the checkpoint's state_names, last_use and uses included. A resumed training
// goes on in the same file; lines of steps after its checkpoint then stand there twice. Written in large
// pieces of whole lines, and before every save. Not thread safe.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "table/table.hpp"

namespace persia::train {

class EvictionJournal {
 public:
  enum class Start { anew, resumed };
  // resumed: after what is there, without a last line that was cut short. UserError if it cannot be opened.
  EvictionJournal(const std::filesystem::path& path, Start start);
  ~EvictionJournal();
  EvictionJournal(const EvictionJournal&) = delete;
  EvictionJournal& operator=(const EvictionJournal&) = delete;
  EvictionJournal(EvictionJournal&&) = delete;
  EvictionJournal& operator=(EvictionJournal&&) = delete;

  // Error if it cannot be written: a row that should be kept is not thrown away.
  void write(const table::EvictedRow& row);
  // Post: all lines are in the file. Error if they cannot be.
  void flush();

 private:
  std::filesystem::path path_;
  std::ofstream file_;
  std::string pending_;  // whole lines
};

}  // namespace persia::train
