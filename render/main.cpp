#include "common/io/stop.h"
#include "render/cli/program.h"

int main(int argc, char** argv)
{
    firn::installStopSignals();
    return firn::runRenderProgram(argc, argv);
}
