#include "common/io/freed_memory.h"
#include "common/io/stop.h"
#include "sim/cli/command_line.h"

int main(int argc, char** argv)
{
    firn::installStopSignals();
    firn::returnLargeBlocks();
    return firn::runCommandLine(argc, argv);
}
