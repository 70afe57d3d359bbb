// The functions that registry.cc lists, one per workload.
#pragma once

#include "zoo/workload.h"

namespace berth::zoo {

Workload amoebanet_workload();
Workload bert_workload();
Workload chain_workload();
Workload dlrm_workload();
Workload enas_cifar_workload();
Workload enas_ptb_workload();
Workload gnmt_workload();
Workload gpt_workload();
Workload inception_v3_workload();
Workload layered_workload();
Workload moe_workload();
Workload nasnet_workload();
Workload nmt_workload();
Workload resnet_workload();
Workload rnnlm_workload();
Workload tiny_workload();
Workload transformer_xl_workload();
Workload unet_workload();
Workload vit_workload();
Workload wavenet_workload();

}  // namespace berth::zoo
