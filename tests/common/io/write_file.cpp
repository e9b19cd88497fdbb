// write_file PATH MEGABYTES: one checked file; exits as the programs do.

#include <cstdlib>
#include <iostream>
#include <string>

#include "common/error.h"
#include "common/io/checked_file.h"

int main(int argc, char** argv)
{
    if (argc != 3) return 2;
    try {
        firn::writeFileChecked(argv[1], std::string(static_cast<std::size_t>(std::atoi(argv[2])) << 20, 'x'));
        return 0;
    } catch (const firn::Error& error) {
        std::cerr << error.what() << '\n';
        return static_cast<int>(error.code());
    }
}
