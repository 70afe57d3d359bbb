#include "bounds/small_simplex.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace berth::bounds {
namespace {

constexpr double kNegligible = 1e-12;      // reduced costs; the caller scales costs to about 1
constexpr double kLeastPivot = 1e-9;       // smaller entries of a direction count as 0
constexpr std::size_t kRefreshEvery = 40;  // pivots
constexpr std::size_t kPatience = 60;      // pivots without progress

}  // namespace

SmallSimplex::SmallSimplex(std::vector<double> right_side)
    : right_side_(std::move(right_side)), direction_(rows()), duals_(rows()) {}

std::size_t SmallSimplex::add_column(double cost, std::span<const double> coefficients) {
  assert(coefficients.size() == rows());
  costs_.push_back(cost);
  coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
  in_basis_.push_back(0);
  return costs_.size() - 1;
}

void SmallSimplex::set_basis(std::vector<std::size_t> basis) {
  assert(basis.size() == rows());
  std::fill(in_basis_.begin(), in_basis_.end(), 0);
  basis_ = std::move(basis);
  for (const std::size_t index : basis_) in_basis_[index] = 1;
  const bool regular = refresh();
  assert(regular);
  static_cast<void>(regular);
  price();
}

// Inverts the basis anew by Gauss-Jordan elimination with row pivoting.
bool SmallSimplex::refresh() {
  const std::size_t n = rows();
  std::vector<double> matrix(n * n);
  std::vector<double> inverse(n * n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + j] = column(basis_[j])[i];
    inverse[j * n + j] = 1;
  }
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t best = j;
    for (std::size_t i = j + 1; i < n; ++i) {
      if (std::abs(matrix[i * n + j]) > std::abs(matrix[best * n + j])) best = i;
    }
    const double pivot_entry = matrix[best * n + j];
    if (std::abs(pivot_entry) < kNegligible) return false;
    for (std::size_t k = 0; k < n; ++k) {
      std::swap(matrix[best * n + k], matrix[j * n + k]);
      std::swap(inverse[best * n + k], inverse[j * n + k]);
    }
    for (std::size_t k = 0; k < n; ++k) {
      matrix[j * n + k] /= pivot_entry;
      inverse[j * n + k] /= pivot_entry;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = matrix[i * n + j];
      if (i == j || factor == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        matrix[i * n + k] -= factor * matrix[j * n + k];
        inverse[i * n + k] -= factor * inverse[j * n + k];
      }
    }
  }
  inverse_ = std::move(inverse);
  solution_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) solution_[i] += inverse_[i * n + k] * right_side_[k];
    // What is below 0 here is rounding, and would turn the ratio test around.
    solution_[i] = std::max(solution_[i], 0.0);
  }
  return true;
}

void SmallSimplex::price() {
  const std::size_t n = rows();
  std::fill(duals_.begin(), duals_.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double cost = costs_[basis_[i]];
    if (cost == 0) continue;
    for (std::size_t k = 0; k < n; ++k) duals_[k] += cost * inverse_[i * n + k];
  }
}

double SmallSimplex::reduced_cost(std::size_t index) const {
  const double* entries = column(index);
  double cost = costs_[index];
  for (std::size_t i = 0; i < rows(); ++i) cost -= duals_[i] * entries[i];
  return cost;
}

// The column to enter; the number of columns when the basis is optimal.
std::size_t SmallSimplex::entering(bool lowest_index) const {
  std::size_t best = costs_.size();
  double best_cost = -kNegligible;
  for (std::size_t j = 0; j < costs_.size(); ++j) {
    if (in_basis_[j]) continue;
    const double cost = reduced_cost(j);
    if (cost >= best_cost) continue;
    best = j;
    best_cost = cost;
    if (lowest_index) break;
  }
  return best;
}

// The row whose column reaches 0 first; of equals the one with the largest pivot, for accuracy.
std::size_t SmallSimplex::leaving(bool lowest_index) const {
  std::size_t best = rows();
  double best_ratio = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows(); ++i) {
    // Dividing by such a small entry would spoil the inverse. Skipping it lets a value go below 0
    // by at most a tiny amount.
    if (direction_[i] < kLeastPivot) continue;
    const double ratio = solution_[i] / direction_[i];
    bool better = ratio < best_ratio - kNegligible;
    if (!better && best < rows() && ratio <= best_ratio + kNegligible) {
      better = lowest_index ? basis_[i] < basis_[best] : direction_[i] > direction_[best];
    }
    if (!better) continue;
    best = i;
    best_ratio = std::min(ratio, best_ratio);
  }
  return best;
}

void SmallSimplex::pivot(std::size_t row, std::size_t entering_column) {
  const std::size_t n = rows();
  const double step = std::max(solution_[row] / direction_[row], 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (i != row) solution_[i] = std::max(solution_[i] - step * direction_[i], 0.0);
  }
  solution_[row] = step;
  double* pivot_row = inverse_.data() + row * n;
  for (std::size_t k = 0; k < n; ++k) pivot_row[k] /= direction_[row];
  for (std::size_t i = 0; i < n; ++i) {
    const double factor = direction_[i];
    if (i == row || factor == 0) continue;
    for (std::size_t k = 0; k < n; ++k) inverse_[i * n + k] -= factor * pivot_row[k];
  }
  in_basis_[basis_[row]] = 0;
  in_basis_[entering_column] = 1;
  basis_[row] = entering_column;
}

bool SmallSimplex::optimise(std::size_t most_pivots) {
  const std::size_t n = rows();
  std::size_t idle = 0;
  double last_objective = std::numeric_limits<double>::infinity();
  for (std::size_t pivots = 0;; ++pivots) {
    // Every pivot adds its rounding to the inverse. Inverting anew costs as much as a few dozen
    // pivots, so it is done about that often.
    if (pivots % kRefreshEvery == 0 && !refresh()) return false;
    price();
    // The steepest column makes for few pivots but may cycle where steps have no length, which is
    // common in a master with equal columns. Bland's rule cannot cycle, but takes far more pivots.
    const bool lowest_index = idle > kPatience;
    const std::size_t enter = entering(lowest_index);
    if (enter == costs_.size()) return true;
    if (pivots == most_pivots) return false;
    const double* entries = column(enter);
    for (std::size_t i = 0; i < n; ++i) {
      direction_[i] = 0;
      for (std::size_t k = 0; k < n; ++k) direction_[i] += inverse_[i * n + k] * entries[k];
    }
    const std::size_t leave = leaving(lowest_index);
    if (leave == n) return false;  // unbounded: not in our use, so numerical trouble
    pivot(leave, enter);
    const double now = objective();
    idle = now < last_objective - kNegligible ? 0 : idle + 1;
    last_objective = std::min(last_objective, now);
  }
}

double SmallSimplex::objective() const {
  double sum = 0;
  for (std::size_t i = 0; i < rows(); ++i) sum += costs_[basis_[i]] * solution_[i];
  return sum;
}

double SmallSimplex::value(std::size_t index) const {
  const auto found = std::find(basis_.begin(), basis_.end(), index);
  return found == basis_.end() ? 0 : solution_[static_cast<std::size_t>(found - basis_.begin())];
}

}  // namespace berth::bounds
