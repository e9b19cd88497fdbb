#include "render/cli/program.h"

int main(int argc, char** argv) { return firn::runMain(firn::renderProgram(), argc, argv); }
