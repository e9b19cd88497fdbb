#include "common/io/freed_memory.h"
#include "sim/cli/program.h"

int main(int argc, char** argv)
{
    firn::returnLargeBlocks();
    return firn::runMain(firn::simProgram(), argc, argv);
}
