// Reads a sequence of items and writes a sequence of devices: the attentional sequence-to-sequence
// model that ColocRL, HDP and Mars share.
//
// An LSTM (or two, one per direction) encodes the items. Another decodes, one step per item, and
// reads the embedding of the device it chose last. At each step content attention (additive as in
// Bahdanau et al. 2015, or by products as in Luong et al. 2015) over the encodings gives a context,
// and from state and context come the logits of the devices:
//   W [state; context] . embedding(device)
// which are then limited by tanh (chance.h).
// The context does not go back into the decoder (as in Google's published controller), so known
// decisions are scored for all steps at once; only drawing goes step by step.
//
// Devices are input (device_table.h).
//
// A long sequence may be cut into segments (Mars): each is encoded by itself, attention stays
// inside it, and the states of the forward encoder and of the decoder are carried over from the
// segment before, without gradients.
//
// With full features a small network (device_scorer.h) adds to each logit a term for the state of
// the device and the cost of the item there.
#pragma once

#include <span>
#include <vector>

#include "base/random.h"
#include "learn/ledger.h"
#include "learn/nets/chance.h"
#include "learn/nets/device_scorer.h"
#include "learn/nets/device_table.h"
#include "learn/nets/lstm.h"
#include "learn/torch.h"

namespace berth::learn {

struct SequenceSettings {
  std::int64_t inputs = 0;   // numbers per item
  std::int64_t hidden = 0;   // width of an encoder
  bool both_ways = false;    // a second encoder reads from the end
  bool aligned = false;      // the decoder reads the encoding of the item it places
  bool additive = false;     // attention
  bool attention = true;     // without it the context is 0
  bool full = false;         // features
  std::int64_t segment = 0;  // items; 0 for one segment that covers all
  LogitLimit limit;
};

// Some sequences of equal length over the same devices.
struct SequenceInput {
  Tensor items;    // [sequences, steps, inputs]
  Tensor present;  // [sequences, steps]: 1, or 0 where there is nothing to place
  Tensor mask;     // [sequences, steps, devices]: true where allowed; never all false
  // With full features only:
  Tensor devices;                    // [devices, Features::kDevices]
  Tensor pairs;                      // [sequences, steps, devices, Features::kPairs]
  std::vector<LedgerItems> ledgers;  // one per sequence
};

// Decisions on them. Rows i * copies ... belong to sequence i.
struct SequenceDecisions {
  // [rows, steps], whole numbers. Where nothing is placed, that of the step before, or 0: later
  // steps are fed with it, so if it were drawn, its probability would have to count.
  Tensor devices;
  Tensor log_probs;  // [rows, steps], as when they were drawn; 0 where nothing is placed
  Tensor noise;      // [rows, steps, devices] that was added to logits; undefined for none
};

struct SequenceScores {
  Tensor log_probs;  // [rows, steps]
  Tensor entropy;    // [rows, steps]
};

class SequencePlacer : public Module {
 public:
  SequencePlacer() = default;
  explicit SequencePlacer(const SequenceSettings& settings);

  // Draws `copies` rows for every sequence. `noise` is the deviation of Gaussian noise on logits as
  // a part of their root mean square.
  SequenceDecisions draw(const SequenceInput& input, std::int64_t copies, double noise,
                         Random& random);
  // The likeliest device at every step; the first of equals.
  SequenceDecisions greedy(const SequenceInput& input);
  // The probability of decisions as the parameters are now, for gradients.
  SequenceScores score(const SequenceInput& input, const Tensor& devices, const Tensor& noise);

 private:
  // A segment read.
  struct Encoded {
    Tensor memory;      // [steps, sequences, width]
    Tensor keys;        // likewise
    LstmState forward;  // [sequences, hidden]: what the next segment begins from
    LstmState end;      // [sequences, width]: what the decoder of the first begins from
  };
  // Items [begin, end); `before` is the segment before them, null for none.
  Encoded encode(const SequenceInput& input, std::int64_t begin, std::int64_t end,
                 const Encoded* before);
  std::int64_t segment_length(const SequenceInput& input) const;
  Tensor device_table(const SequenceInput& input) const;
  Tensor attend(const Tensor& states, const Encoded& encoded);
  Tensor device_logits(const Tensor& states, const Tensor& context, const Tensor& table);
  std::vector<Ledger> open_ledgers(const SequenceInput& input, std::int64_t rows) const;
  void read_pairs(const SequenceInput& input, std::int64_t step, std::span<const Ledger> ledgers,
                  const Tensor& numbers) const;
  Tensor gates_from_devices(const Tensor& table) const;
  Tensor gates_from_memory(const Encoded& encoded) const;
  Tensor replay(const SequenceInput& input, const Tensor& devices) const;
  SequenceDecisions decode(const SequenceInput& input, std::int64_t copies, double noise,
                           Random* random);

  SequenceSettings settings_;
  std::int64_t width_ = 0;      // of decoder and memory
  std::int64_t embedding_ = 0;  // of devices
  Lstm forward_;
  Lstm backward_;
  Lstm decoder_;
  Linear query_;
  Linear key_;
  Linear output_;
  DeviceScorer scorer_;
  Tensor additive_;
  DeviceTable devices_;
  Tensor first_;  // [1, embedding]: in place of a device before the first step
};

}  // namespace berth::learn
