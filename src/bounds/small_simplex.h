// A linear program with few rows, to which columns are added over time:
//
//   min cost x,  A x = right side,  x >= 0
//
// Primal simplex with a dense explicit inverse of the basis, which is recomputed at intervals. New
// columns leave the basis as it is, so every optimise() continues from the last one. The column
// with the most negative reduced cost enters; after a number of pivots without progress the one
// with the lowest index does, which prevents cycling (Bland 1977). O(rows x (rows + columns)) per
// pivot.
//
// Made for the master problem of the work bound (assignment_dual.h), where an inaccurate result
// costs time but never makes the bound wrong. It cannot find a first basis, has no bounds on
// variables and makes no use of sparsity.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth::bounds {

class SmallSimplex {
 public:
  explicit SmallSimplex(std::vector<double> right_side);

  // Gives the column's number: 0, 1, 2, ...
  std::size_t add_column(double cost, std::span<const double> coefficients);
  // One column per row; their matrix must be regular and the solution not negative.
  void set_basis(std::vector<std::size_t> basis);
  // False when it stopped at the limit of pivots or because of numerical trouble.
  bool optimise(std::size_t most_pivots);

  double objective() const;
  // By row; reduced cost of a column = its cost - duals x coefficients.
  const std::vector<double>& duals() const { return duals_; }
  // Of the column as of the last optimise().
  double value(std::size_t column) const;

 private:
  std::size_t rows() const { return right_side_.size(); }
  const double* column(std::size_t index) const { return coefficients_.data() + index * rows(); }
  double reduced_cost(std::size_t index) const;
  bool refresh();
  void price();
  std::size_t entering(bool lowest_index) const;
  std::size_t leaving(bool lowest_index) const;
  void pivot(std::size_t row, std::size_t entering_column);

  std::vector<double> right_side_;
  std::vector<double> costs_;
  std::vector<double> coefficients_;  // column x row
  std::vector<std::size_t> basis_;    // by row
  std::vector<char> in_basis_;        // by column
  std::vector<double> inverse_;       // rows x rows
  std::vector<double> solution_;      // by basis row
  std::vector<double> direction_;     // inverse x entering column
  std::vector<double> duals_;
};

}  // namespace berth::bounds
