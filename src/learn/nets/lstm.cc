#include "learn/nets/lstm.h"

#include <utility>
#include <vector>

namespace berth::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// sigmoid(x) = (1 + tanh(x/2)) / 2, so with the inputs of three gates halved one call of tanh
// serves all four.
Tensor gate_factors(std::int64_t width, const c10::TensorOptions& options) {
  Tensor factors = torch::full({4 * width}, 0.5, options);
  factors.narrow(0, 2 * width, width).fill_(1);
  return factors;
}

// After tanh: computes the gates and updates the cell. `gates` is [batch,
// 4 width] and in the end holds input, forget, cell and output gate.
template <class Real>
void open_gates(Real* gates, const Real* old_cell, Real* cell, std::int64_t batch,
                std::int64_t width) {
  for (std::int64_t row = 0; row < batch; ++row) {
    Real* const input = gates + row * 4 * width;
    Real* const forget = input + width;
    Real* const candidate = forget + width;
    Real* const output = candidate + width;
    for (std::int64_t i = 0; i < width; ++i) {
      input[i] = Real(0.5) * input[i] + Real(0.5);
      forget[i] = Real(0.5) * forget[i] + Real(0.5);
      output[i] = Real(0.5) * output[i] + Real(0.5);
      cell[row * width + i] = forget[i] * old_cell[row * width + i] + input[i] * candidate[i];
    }
  }
}

template <class Real>
void emit(const Real* gates, const Real* tanh_cell, Real* hidden, std::int64_t batch,
          std::int64_t width) {
  for (std::int64_t row = 0; row < batch; ++row) {
    const Real* const output = gates + row * 4 * width + 3 * width;
    for (std::int64_t i = 0; i < width; ++i) {
      hidden[row * width + i] = output[i] * tanh_cell[row * width + i];
    }
  }
}

// From the gradients of a step's hidden state and cell to those of its gates' inputs and of the
// cell before.
template <class Real>
void close_gates(const Real* gates, const Real* tanh_cell, const Real* old_cell, const Real* hidden,
                 Real* cell, Real* inputs, std::int64_t batch, std::int64_t width) {
  for (std::int64_t row = 0; row < batch; ++row) {
    const Real* const gate = gates + row * 4 * width;
    Real* const out = inputs + row * 4 * width;
    for (std::int64_t i = 0; i < width; ++i) {
      const std::int64_t at = row * width + i;
      const Real input = gate[i];
      const Real forget = gate[width + i];
      const Real candidate = gate[2 * width + i];
      const Real output = gate[3 * width + i];
      const Real squashed = tanh_cell[at];
      const Real into_cell = cell[at] + hidden[at] * output * (1 - squashed * squashed);
      out[i] = into_cell * candidate * input * (1 - input);
      out[width + i] = into_cell * old_cell[at] * forget * (1 - forget);
      out[2 * width + i] = into_cell * input * (1 - candidate * candidate);
      out[3 * width + i] = hidden[at] * squashed * output * (1 - output);
      cell[at] = into_cell * forget;
    }
  }
}

class Sequence : public torch::autograd::Function<Sequence> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& projected,
                               const Tensor& weights, const Tensor& hidden, const Tensor& cell) {
    const std::int64_t steps = projected.size(0);
    const std::int64_t batch = projected.size(1);
    const std::int64_t width = weights.size(1);
    const Tensor factors = gate_factors(width, projected.options());
    // Transposed once: products with a transposed view are slower at every step.
    const Tensor prepared = (weights * factors.unsqueeze(1)).t().contiguous();
    Tensor gates = (projected * factors).contiguous();
    // Entry 0 is the state before the first step.
    Tensor hiddens = torch::empty({steps + 1, batch, width}, projected.options());
    Tensor cells = torch::empty_like(hiddens);
    Tensor tanh_cells = torch::empty({steps, batch, width}, projected.options());
    hiddens[0].copy_(hidden);
    cells[0].copy_(cell);
    const auto gate_rows = gates.unbind(0);
    const auto hidden_rows = hiddens.unbind(0);
    const auto cell_rows = cells.unbind(0);
    const auto tanh_rows = tanh_cells.unbind(0);
    AT_DISPATCH_FLOATING_TYPES(projected.scalar_type(), "lstm", [&] {
      for (std::size_t step = 0; step < gate_rows.size(); ++step) {
        gate_rows[step].addmm_(hidden_rows[step], prepared).tanh_();
        open_gates(gate_rows[step].data_ptr<scalar_t>(), cell_rows[step].data_ptr<scalar_t>(),
                   cell_rows[step + 1].data_ptr<scalar_t>(), batch, width);
        Tensor squashed = tanh_rows[step];
        at::tanh_out(squashed, cell_rows[step + 1]);
        emit(gate_rows[step].data_ptr<scalar_t>(), squashed.data_ptr<scalar_t>(),
             hidden_rows[step + 1].data_ptr<scalar_t>(), batch, width);
      }
    });
    context->save_for_backward({weights, gates, hiddens, cells, tanh_cells});
    return {hiddens.narrow(0, 1, steps).clone(), cells[steps].clone()};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor& weights = saved[0];
    const Tensor& gates = saved[1];
    const Tensor& hiddens = saved[2];
    const std::int64_t steps = gates.size(0);
    const std::int64_t batch = gates.size(1);
    const std::int64_t width = weights.size(1);
    Tensor from_outputs = gradients[0].defined()
                              ? gradients[0].contiguous()
                              : torch::zeros({steps, batch, width}, gates.options());
    Tensor hidden = torch::zeros({batch, width}, gates.options());
    // A copy of a gradient would keep its strides, whatever they are; the loops go by rows.
    Tensor cell = gradients[1].defined() ? gradients[1].clone(at::MemoryFormat::Contiguous)
                                         : torch::zeros_like(hidden);
    Tensor inputs = torch::empty_like(gates);
    const auto gate_rows = gates.unbind(0);
    const auto cell_rows = saved[3].unbind(0);
    const auto tanh_rows = saved[4].unbind(0);
    const auto output_rows = from_outputs.unbind(0);
    const auto input_rows = inputs.unbind(0);
    AT_DISPATCH_FLOATING_TYPES(gates.scalar_type(), "lstm_backward", [&] {
      for (std::size_t step = gate_rows.size(); step-- > 0;) {
        hidden.add_(output_rows[step]);
        close_gates(gate_rows[step].data_ptr<scalar_t>(), tanh_rows[step].data_ptr<scalar_t>(),
                    cell_rows[step].data_ptr<scalar_t>(), hidden.data_ptr<scalar_t>(),
                    cell.data_ptr<scalar_t>(), input_rows[step].data_ptr<scalar_t>(), batch, width);
        at::mm_out(hidden, input_rows[step], weights);
      }
    });
    // One product for all steps, instead of one per step and a sum.
    const Tensor before = hiddens.narrow(0, 0, steps).reshape({steps * batch, width});
    const Tensor weight_gradient = inputs.reshape({steps * batch, 4 * width}).t().mm(before);
    return {inputs, weight_gradient, hidden, cell};
  }
};

}  // namespace

Lstm::Lstm(std::int64_t inputs, std::int64_t width) : width_(width) {
  input_weights = parameter("input_weights", glorot(4 * width, inputs));
  hidden_weights = parameter("hidden_weights", glorot(4 * width, width));
  // Forget gates begin open, so that early steps still influence the state late in a sequence.
  Tensor start = torch::zeros({4 * width});
  start.narrow(0, width, width).fill_(1);
  bias = parameter("bias", start);
}

Tensor Lstm::project(const Tensor& inputs) const { return at::linear(inputs, input_weights, bias); }

std::pair<Tensor, LstmState> Lstm::run_on(const Tensor& projected, const LstmState& start) const {
  variable_list ends = Sequence::apply(projected, hidden_weights, start.hidden, start.cell);
  const LstmState end = {ends[0][projected.size(0) - 1], ends[1]};
  return {std::move(ends[0]), end};
}

LstmState Lstm::zero_state(std::int64_t batch) const {
  const Tensor zeros = torch::zeros({batch, width_}, hidden_weights.options().requires_grad(false));
  return {zeros, zeros.clone()};
}

Tensor Lstm::prepared_weights() const {
  const Tensor factors = gate_factors(width_, hidden_weights.options().requires_grad(false));
  return (hidden_weights * factors.unsqueeze(1)).t().contiguous();
}

Tensor Lstm::prepared(const Tensor& projected) const {
  return projected * gate_factors(width_, projected.options().requires_grad(false));
}

void Lstm::advance(Tensor& gates, const Tensor& prepared_weights, LstmState& state) {
  const std::int64_t batch = gates.size(0);
  const std::int64_t width = gates.size(1) / 4;
  gates.addmm_(state.hidden, prepared_weights).tanh_();
  AT_DISPATCH_FLOATING_TYPES(gates.scalar_type(), "lstm_step", [&] {
    scalar_t* const cell = state.cell.data_ptr<scalar_t>();
    open_gates(gates.data_ptr<scalar_t>(), cell, cell, batch, width);
    const Tensor squashed = state.cell.tanh();
    emit(gates.data_ptr<scalar_t>(), squashed.data_ptr<scalar_t>(),
         state.hidden.data_ptr<scalar_t>(), batch, width);
  });
}

}  // namespace berth::learn
