// What differs between transports. post_office.hpp does the rest, so both behave alike.
#pragma once

#include <cstddef>
#include <string>

#include "mail/traffic.hpp"

namespace persia::mail {

class Carrier {
 public:
  virtual ~Carrier() = default;
  // One sweep each over all peers. True if a record moved.
  virtual bool receive(Traffic& traffic) = 0;
  virtual bool send(Traffic& traffic) = 0;
  // Whether everything taken from outboxes has left, so that nothing here must live on.
  [[nodiscard]] virtual bool idle() const = 0;
  // "head 128, credit 64" of the stream to a peer.
  [[nodiscard]] virtual std::string describe(std::size_t peer) const = 0;
  // Collective over the mail communicator. Gives up what MPI holds.
  virtual void free() = 0;
};

}  // namespace persia::mail
