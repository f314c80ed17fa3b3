#include "train/owners.hpp"

#include <fmt/ranges.h>

#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/status_board.hpp"
#include "mail/post.hpp"
#include "serve/report.hpp"

namespace persia::train {

namespace {

using nlohmann::json;

json to_json(const checkpoint::FileEntry& entry) {
  return {{"name", entry.name}, {"bytes", entry.bytes}, {"checksum", entry.checksum}, {"rows", entry.rows}};
}

checkpoint::FileEntry from_json(const json& object) {
  return {.name = object.at("name"),
          .bytes = object.at("bytes"),
          .checksum = object.at("checksum"),
          .rows = object.at("rows")};
}

class LocalOwners final : public Owners {
 public:
  LocalOwners(std::span<const std::unique_ptr<table::Table>> tables, std::function<void()> before_save)
      : tables_(tables), before_save_(std::move(before_save)) {}

  std::vector<checkpoint::FileEntry> save(const std::filesystem::path& folder, Step step) override {
    before_save_();
    return {checkpoint::save_tables(folder, OwnerIndex(0), 1, step, tables_)};
  }
  json statistics() override { return json::array({json{{"tables", serve::report_of(tables_)}}}); }
  void finish(int) override {}

 private:
  std::span<const std::unique_ptr<table::Table>> tables_;
  std::function<void()> before_save_;
};

class RemoteOwners final : public Owners {
 public:
  RemoteOwners(mail::Post& post, embed::RemoteSource& source, std::int32_t num_owners, double timeout_seconds)
      : post_(post), source_(source), num_owners_(num_owners), timeout_seconds_(timeout_seconds) {}

  std::vector<checkpoint::FileEntry> save(const std::filesystem::path& folder, Step step) override {
    const std::string request = json{{"directory", folder.string()}, {"step", step.value()}}.dump();
    std::vector<checkpoint::FileEntry> entries(static_cast<std::size_t>(num_owners_));
    std::string errors;
    ask_all(wire::MessageKind::save, wire::MessageKind::saved, request, Patience::endless,
            [&](std::size_t owner, const json& answer) {
              if (answer.contains("error"))
                errors += fmt::format("\n  embedding {}: {}", owner, answer.at("error").get<std::string>());
              else
                entries[owner] = from_json(answer);
            });
    require(errors.empty(), "the checkpoint of step {} could not be written:{}", step.value(), errors);
    return entries;
  }

  json statistics() override {
    json all = json::array();
    for (std::int32_t owner = 0; owner < num_owners_; ++owner) all.push_back(json::array());
    ask_all(wire::MessageKind::statistics, wire::MessageKind::report, "", Patience::limited,
            [&](std::size_t owner, const json& answer) { all[owner] = answer; });
    return all;
  }

  void finish(int exit_code) override {
    for (std::int32_t owner = 0; owner < num_owners_; ++owner)
      post_.send({mail::PeerIndex(owner),
                  wire::MessageKind::final,
                  Token(static_cast<std::uint64_t>(exit_code)),
                  {}});
  }

 private:
  // Writing terabytes takes its time, and the launcher ends a job whose rank is lost: no limit there.
  enum class Patience { limited, endless };

  // Sends `text` to every owner and hands each one's answer to `take`.
  void ask_all(wire::MessageKind question, wire::MessageKind answer, const std::string& text,
               Patience patience, const std::function<void(std::size_t, const json&)>& take) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    for (std::int32_t owner = 0; owner < num_owners_; ++owner)
      post_.send({mail::PeerIndex(owner), question, Token(0), {bytes, bytes + text.size()}});
    const bool endless = patience == Patience::endless;
    const status::Phase phase("waiting for the owners' answers", 0,
                              endless ? status::Waits::for_the_slow : status::Waits::for_others);
    std::vector<std::int32_t> silent(static_cast<std::size_t>(num_owners_));
    std::iota(silent.begin(), silent.end(), 0);
    mail::Backoff backoff;
    status::SweepReport report;
    for (const Stopwatch watch; !silent.empty();) {
      const bool moved = source_.progress();
      if (!moved) backoff.wait();
      while (const std::optional<mail::Message> message = source_.take_other())
        take(take_answer(*message, answer, silent), parse(*message));
      report.sweep(moved, [&] {
        status::tell(fmt::format("those of owners {}\n{}", fmt::join(silent, ", "), source_.describe()),
                     status::Waits::for_others);
      });
      if (!endless && watch.seconds() >= timeout_seconds_)
        fail_stuck("owners {} did not answer a {} message within {} s (mail.timeout_seconds)",
                   fmt::join(silent, ", "), wire::name_of(question), timeout_seconds_);
    }
  }

  // The owner that answered, who is then no longer silent.
  static std::size_t take_answer(const mail::Message& message, wire::MessageKind expected,
                                 std::vector<std::int32_t>& silent) {
    const std::int32_t owner = message.peer.value();
    require(message.kind == expected && std::erase(silent, owner) == 1,
            "owner {} answered with a {} message that was not asked for", owner, wire::name_of(message.kind));
    return static_cast<std::size_t>(owner);
  }

  static json parse(const mail::Message& message) {
    const auto* begin = reinterpret_cast<const char*>(message.body.data());
    return json::parse(begin, begin + message.body.size());
  }

  mail::Post& post_;
  embed::RemoteSource& source_;
  std::int32_t num_owners_;
  double timeout_seconds_;
};

}  // namespace

std::unique_ptr<Owners> make_local_owners(std::span<const std::unique_ptr<table::Table>> tables,
                                          std::function<void()> before_save) {
  return std::make_unique<LocalOwners>(tables, std::move(before_save));
}

std::unique_ptr<Owners> make_remote_owners(mail::Post& post, embed::RemoteSource& source,
                                           std::int32_t num_owners, double timeout_seconds) {
  return std::make_unique<RemoteOwners>(post, source, num_owners, timeout_seconds);
}

std::string answer_save(const std::string& request, OwnerIndex owner, std::int32_t num_owners,
                        std::span<const std::unique_ptr<table::Table>> tables,
                        const std::function<void()>& before_save) {
  try {
    const json asked = json::parse(request);
    const status::Phase phase("saving the tables of step {}", asked.at("step").get<std::int64_t>());
    before_save();
    const std::filesystem::path folder = asked.at("directory").get<std::string>();
    require(std::filesystem::is_directory(folder),
            "folder {} is not seen here; checkpoint.directory must lie on a file system that all ranks share",
            folder.string());
    return to_json(checkpoint::save_tables(folder, owner, num_owners, Step(asked.at("step")), tables)).dump();
  } catch (const std::exception& error) {
    // Names of files may hold bytes that are no UTF-8.
    return json{{"error", error.what()}}.dump(-1, ' ', false, json::error_handler_t::replace);
  }
}

}  // namespace persia::train
