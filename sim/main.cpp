#include "common/io/stop.h"
#include "sim/cli/command_line.h"

int main(int argc, char** argv)
{
    firn::installStopSignals();
    return firn::runCommandLine(argc, argv);
}
