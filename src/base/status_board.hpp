// What this process is at, for the watcher that speaks when a job is stuck (observe/watcher.hpp).
//
// One board per process, as there is one log. The thread that leads the work writes it: in training the
// communication thread, which alone waits for other ranks. What it says costs nothing while things move: a
// counter of movements, phases as scopes around whole pieces of work, the name of a call that may block, and
// a longer text once nothing has moved for a second. Thread safety: one thread writes, any thread reads at
// any time.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.hpp"

namespace persia::status {

// What a process that stands still waits for.
enum class Waits {
  for_nobody,    // it works, reads or writes, or may be asked for something: no deadline
  for_the_slow,  // for ranks that may have to work, read or write for hours: no deadline either
  for_others     // for ranks that have nothing else to do: a deadline
};

// A piece of work: "saving the checkpoint of step 50". Phases nest. Their begin and end are movements; an end
// by an exception is none, so that a failure that itself gets stuck is noticed.
class Phase {
 public:
  // `text` is a literal; a {} in it stands for `number`.
  explicit Phase(const char* text, std::int64_t number = 0, Waits waits = Waits::for_nobody);
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;
  Phase(Phase&&) = delete;
  Phase& operator=(Phase&&) = delete;
};

// A call that returns when other ranks have done their part, such as MPI_Barrier. Cost: a few stores. They do
// not nest; within a phase that waits for the slow it does so too.
class Call {
 public:
  explicit Call(const char* text, std::int64_t number = 0);  // as for Phase
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  Call(Call&&) = delete;
  Call& operator=(Call&&) = delete;
};

// Part of a phase, cheap enough for every message: "updating table 3". They do not nest.
class Detail {
 public:
  Detail(const char* text, std::int64_t number);  // as for Phase
  ~Detail();
  Detail(const Detail&) = delete;
  Detail& operator=(const Detail&) = delete;
  Detail(Detail&&) = delete;
  Detail& operator=(Detail&&) = delete;
};

// Something happened. Cost: a load and a store.
void mark_movement();
// What a sweeping loop waits for. Holds until something moves.
void tell(std::string text, Waits waits);

struct Status {
  std::string text;  // "training: step 120 is exchanged with the other trainers"
  Waits waits = Waits::for_nobody;
  std::uint64_t movements = 0;  // so far
};

[[nodiscard]] Status read();

// Keeps the board of a loop that sweeps until something comes.
class SweepReport {
 public:
  // After each sweep. `say` calls tell(); it is called once nothing has moved for a second, then once a
  // second.
  template <class Say>
  void sweep(bool moved, const Say& say) {
    if (moved) {
      mark_movement();
      next_ = 0;
      return;
    }
    const double now = now_seconds();
    if (next_ != 0 && now >= next_) say();
    if (next_ == 0 || now >= next_) next_ = now + 1;
  }

 private:
  double next_ = 0;  // now_seconds() of the next text; 0: something moved just now
};

}  // namespace persia::status
