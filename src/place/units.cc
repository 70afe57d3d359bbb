#include "place/units.h"
