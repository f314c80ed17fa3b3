// persia: hybrid-parallel training of recommender models over MPI ranks. See README.md.
#include "commands/program.hpp"

int main(int argc, char** argv) {
  return persia::commands::run_program(argc, argv);
}
