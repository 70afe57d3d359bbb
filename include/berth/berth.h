// Berth as a library: finds which device should run which op of a neural network.
//
//   const berth::Problem problem(berth::Graph::load("zoo:rnnlm"), berth::Cluster::load("4xP100"));
//   const berth::Placed placed = berth::place(problem);
//   berth::write_plan("plan.json", problem, placed);
//
// Values go in and values come out. Every function may be called from any thread, throws
// berth::Error alone, and neither prints, handles signals nor ends the process.
// docs/library.md is the guide, and examples/ has whole programs.
#pragma once

#include "berth/catalog.h"
#include "berth/cluster.h"
#include "berth/error.h"
#include "berth/graph.h"
#include "berth/place.h"
#include "berth/plan.h"
#include "berth/problem.h"
