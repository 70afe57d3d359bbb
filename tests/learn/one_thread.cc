// Tensors of tests are tiny: more threads than one, which is what training has too, take ten times
// as long to wait for each other as to compute, the more so as tests run side by side.
#include <gtest/gtest.h>

#include "learn/torch.h"

namespace berth::learn {
namespace {

class OneThread : public testing::Environment {
 public:
  void SetUp() override { at::set_num_threads(1); }
};

[[maybe_unused]] const auto* const kOneThread = testing::AddGlobalTestEnvironment(new OneThread);

}  // namespace
}  // namespace berth::learn
