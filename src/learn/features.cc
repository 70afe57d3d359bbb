#include "learn/features.h"
