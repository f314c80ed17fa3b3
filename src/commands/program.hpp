// The command line as a whole: subcommands, the one catch, exit codes.
//
// 0 success, 1 failure, 2 a mistake that the person can mend (command line, run file, data, damaged input).
#pragma once

namespace persia::commands {

// What main() returns. Prints the one message of a failed run.
[[nodiscard]] int run_program(int argc, char** argv);

}  // namespace persia::commands
