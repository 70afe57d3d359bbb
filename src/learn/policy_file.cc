#include "learn/policy_file.h"
