#define TOML_IMPLEMENTATION
#include "common/scene/toml.h"
