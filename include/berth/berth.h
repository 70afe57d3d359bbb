// Berth as a library: finds the device for every op of a neural network.
//
//   const berth::Problem problem(berth::Graph::load("zoo:rnnlm"), berth::Cluster::load("4xP100"));
//   const berth::Placed placed = berth::place(problem);
//   berth::write_plan("plan.json", problem, placed);
//
// Functions take values and return values. Every function may be called from any thread, throws
// only berth::Error, and does not print, handle signals or end the process.
// docs/library.md is the guide, and examples/ has complete programs.
#pragma once

#include "berth/catalog.h"
#include "berth/cluster.h"
#include "berth/error.h"
#include "berth/graph.h"
#include "berth/place.h"
#include "berth/plan.h"
#include "berth/problem.h"
