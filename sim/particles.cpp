#include "sim/particles.h"

namespace firn {

void Particles::resize(std::size_t count)
{
    forEachColumn(*this, [&](const std::string&, auto& column) { column.resize(count); });
}

}  // namespace firn
