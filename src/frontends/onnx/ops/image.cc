// Sampling of images: resizing, grids, regions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

// Multiply-adds to interpolate one point between pixels along this many axes.
double sampling_flops(std::string_view mode, std::size_t axes) {
  const auto depth = static_cast<double>(std::min<std::size_t>(axes, 4));
  if (mode == "linear" || mode == "bilinear") return 2 * std::pow(2.0, depth);
  if (mode == "cubic" || mode == "bicubic") return 2 * std::pow(4.0, depth);
  return 0;
}

// In single precision, as every runtime multiplies it: 7 x 0.428571.. is 3, not 2.
std::int64_t scaled(std::int64_t dim, double scale) {
  if (dim < 0 || !(scale > 0)) return kUnknown;
  const double result =
      narrow(ElementType::float32, narrow(ElementType::float32, static_cast<double>(dim)) *
                                       narrow(ElementType::float32, scale));
  return as_dim(integer_of(std::floor(result)));
}

struct Resize {
  std::vector<std::size_t> axes;
  std::optional<std::vector<double>> scales;
  std::optional<Dims> sizes;
};

std::optional<std::vector<double>> reals_of(const OpContext& op, std::size_t index) {
  const auto& contents = op.in(index).contents;
  if (!contents || contents->reals.empty()) return std::nullopt;
  return contents->reals;
}

// A cropped axis is scaled from the region that is looked at.
double cropped(const OpContext& op, std::size_t entry, std::size_t axes) {
  if (op.attribute_text("coordinate_transformation_mode", "") != "tf_crop_and_resize") return 1;
  const auto region = reals_of(op, 1);
  if (!region || region->size() != 2 * axes) return std::nan("");
  return (*region)[entry + axes] - (*region)[entry];
}

// All axes by the scale that fits the tightest, or the widest, of the wanted sizes.
void keep_aspect(OpContext& op, Resize& resize) {
  const std::string_view policy = op.attribute_text("keep_aspect_ratio_policy", "stretch");
  if (policy != "not_larger" && policy != "not_smaller") return;
  double scale = policy == "not_larger" ? HUGE_VAL : 0;
  for (std::size_t entry = 0; entry < resize.axes.size(); ++entry) {
    const std::int64_t dim = op.dims(0)[resize.axes[entry]];
    const std::int64_t size = (*resize.sizes)[entry];
    if (dim <= 0 || size < 0) {
      resize.sizes->assign(resize.axes.size(), kUnknown);
      return;
    }
    const double own = static_cast<double>(size) / static_cast<double>(dim);
    scale = policy == "not_larger" ? std::min(scale, own) : std::max(scale, own);
  }
  for (std::size_t entry = 0; entry < resize.axes.size(); ++entry) {
    const auto dim = static_cast<double>(op.dims(0)[resize.axes[entry]]);
    (*resize.sizes)[entry] = as_dim(integer_of(std::floor(scale * dim + 0.5)));
  }
}

void apply_resize(OpContext& op, Resize resize) {
  Dims dims = op.dims(0);
  const std::size_t count = resize.axes.size();
  const bool usable = (resize.sizes && resize.sizes->size() == count) ||
                      (resize.scales && resize.scales->size() == count);
  if ((resize.sizes || resize.scales) && !usable) {
    op.complain(fmt::format("has {} sizes or scales; expected {}",
                            resize.sizes ? resize.sizes->size() : resize.scales->size(), count));
  }
  if (usable && resize.sizes) keep_aspect(op, resize);
  std::size_t changed = 0;
  for (std::size_t entry = 0; entry < count; ++entry) {
    std::int64_t& dim = dims[resize.axes[entry]];
    const std::int64_t old = dim;
    if (!usable) {
      dim = kUnknown;
    } else if (resize.sizes) {
      dim = as_dim((*resize.sizes)[entry]);
    } else {
      dim = scaled(dim, (*resize.scales)[entry] * cropped(op, entry, count));
    }
    if (dim != old) ++changed;
  }
  op.work(sampling_flops(op.attribute_text("mode", "nearest"), changed) * volume(dims));
  op.tensor(0, op.element(0), std::move(dims));
}

std::vector<std::size_t> all_axes(std::size_t rank) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

void infer_resize(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0)) return;
  Resize resize{.axes = all_axes(op.rank(0)), .scales = {}, .sizes = {}};
  if (const auto axes = op.attribute_list("axes")) {
    resize.axes.clear();
    for (const std::int64_t axis : *axes) {
      const auto counted = axis_of(axis, op.rank(0));
      if (!counted || resize.axes.size() >= op.rank(0)) {
        op.complain_shape(0, "a tensor with all axes that are resized");
        return;
      }
      resize.axes.push_back(static_cast<std::size_t>(*counted));
    }
  }
  // Opset 10 had the scales second; later the region came between.
  const std::size_t scales = op.opset() < 11 ? 1 : 2;
  const bool has_sizes = op.opset() >= 11 && op.has(3) && op.in(3).elements() != 0;
  if (has_sizes) {
    resize.sizes = op.integers(3);
  } else {
    resize.scales = reals_of(op, scales);
  }
  apply_resize(op, std::move(resize));
}

// The forerunner of Resize: scales as attribute (two by name in opset 1) or input.
void infer_upsample(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0)) return;
  Resize resize{.axes = all_axes(op.rank(0)), .scales = {}, .sizes = {}};
  const Attribute* listed = op.node().attribute("scales");
  if (op.has(1)) {
    resize.scales = reals_of(op, 1);
  } else if (listed != nullptr) {
    resize.scales = std::vector<double>(listed->floats.begin(), listed->floats.end());
  } else if (op.rank(0) == 4) {
    resize.scales = {1, 1, op.attribute_real("height_scale", 0),
                     op.attribute_real("width_scale", 0)};
  }
  apply_resize(op, std::move(resize));
}

void infer_region_align(OpContext& op) {
  const auto size = [&op](std::string_view name) {
    return std::max(op.attribute(name, 1), kUnknown);
  };
  op.tensor(0, op.element(0),
            {op.dim(1, 0), op.dim(0, 1), size("output_height"), size("output_width")});
  // Without a number of samples it follows from the region's size; four is usual.
  const std::int64_t given = op.attribute("sampling_ratio", 0);
  const double samples = given > 0 ? static_cast<double>(given) * static_cast<double>(given) : 4;
  op.work(volume(op.out(0).dims) * samples * sampling_flops("linear", 2));
}

void infer_crop_and_resize(OpContext& op) {
  const auto size = op.integers(3).value_or(Dims{});
  Dims dims = {op.dim(1, 0), op.dim(0, 1), kUnknown, kUnknown};
  for (std::size_t axis = 0; axis < 2 && axis < size.size(); ++axis) {
    dims[axis + 2] = std::max(size[axis], kUnknown);
  }
  op.work(volume(dims) * sampling_flops("linear", 2));
  op.tensor(0, op.element(0), std::move(dims));
}

void infer_grid_sample(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0) || !op.ranked(1)) return;
  if (op.rank(0) < 3 || op.rank(1) != op.rank(0)) {
    op.complain_shape(1, fmt::format("a grid of rank {}", op.rank(0)));
    return;
  }
  Dims dims = op.dims(1);  // batch, the axes of the grid, coordinates
  dims.pop_back();
  dims.insert(dims.begin() + 1, op.dim(0, 1));
  dims[0] = either(op.dim(0, 0), dims[0]);
  const std::string_view mode = op.attribute_text("mode", "linear");
  op.work(sampling_flops(mode, op.rank(0) - 2) * volume(dims));
  op.tensor(0, op.element(0), std::move(dims));
}

void infer_affine_grid(OpContext& op) {
  op.unranked(0, op.element(0));
  const auto size = op.integers(1);  // batch, channels, then the image
  if (!size || size->size() < 3 || size->size() > kMaxRank) return;
  Dims dims = {either(op.dim(0, 0), as_dim((*size)[0]))};
  for (std::size_t axis = 2; axis < size->size(); ++axis) {
    dims.push_back(as_dim((*size)[axis]));
  }
  const auto axes = static_cast<std::int64_t>(size->size() - 2);
  dims.push_back(axes);
  op.work(2 * volume(dims) * extent(axes + 1));
  op.tensor(0, op.element(0), std::move(dims));
}

// Blocks put back to an image, overlaps added up.
void infer_col2im(OpContext& op) {
  op.unranked(0, op.element(0));
  const auto image = op.integers(1), block = op.integers(2);
  if (!op.ranked(0) || !image || image->size() > kMaxRank) return;
  std::int64_t channels = kUnknown;
  if (block) {
    Dims window;
    for (const std::int64_t dim : *block) window.push_back(as_dim(dim));
    channels = divide(op.dim(0, 1), product(window));
  }
  Dims dims = {op.dim(0, 0), channels};
  for (const std::int64_t dim : *image) dims.push_back(as_dim(dim));
  op.work(op.volume_of(0));
  op.tensor(0, op.element(0), std::move(dims));
}

// The size of the picture is in its file.
void infer_image_decoder(OpContext& op) {
  const bool gray = op.attribute_text("pixel_format", "RGB") == "Grayscale";
  op.tensor(0, ElementType::uint8, {kUnknown, kUnknown, gray ? 1 : 3});
}

constexpr Operator kOperators[] = {
    {kOnnx, "AffineGrid", infer_affine_grid},
    {kOnnx, "Col2Im", infer_col2im},
    {kOnnx, "GridSample", infer_grid_sample},
    {kOnnx, "ImageDecoder", infer_image_decoder},
    {kOnnx, "Resize", infer_resize},
    {kOnnx, "RoiAlign", infer_region_align},
    {kOnnx, "Upsample", infer_upsample},
    {kMicrosoft, "CropAndResize", infer_crop_and_resize},
    {kMicrosoft, "GridSample", infer_grid_sample},
};

}  // namespace

std::span<const Operator> image_operators() { return kOperators; }

}  // namespace berth::onnx
