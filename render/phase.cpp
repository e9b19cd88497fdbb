#include "render/phase.h"
