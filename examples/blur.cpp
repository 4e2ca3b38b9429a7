//===- examples/blur.cpp - separable Gaussian blur of a colour picture ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a binary PPM, filters each colour plane along rows and then along columns with a filter
// whose radius is known only at run time, and can write the result as a PPM again.
#include "support.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

using namespace example;

// In has `Radius` extra columns on both sides; Out has none.
EXAMPLE_KERNEL void blurRows(float *Out, const float *In, long Rows, long Columns,
                             const float *Filter, long Radius) {
  for (long i = 0; i < Rows; ++i)
    for (long j = 0; j < Columns; ++j) {
      float Sum = 0.0f;
      for (long k = 0; k <= 2 * Radius; ++k)
        Sum += Filter[k] * In[i * (Columns + 2 * Radius) + j + k];
      Out[i * Columns + j] = Sum;
    }
}

// In has `Radius` extra rows above and below; Out has none.
EXAMPLE_KERNEL void blurColumns(float *Out, const float *In, long Rows, long Columns,
                                const float *Filter, long Radius) {
  for (long i = 0; i < Rows; ++i)
    for (long j = 0; j < Columns; ++j) {
      float Sum = 0.0f;
      for (long k = 0; k <= 2 * Radius; ++k)
        Sum += Filter[k] * In[(i + k) * Columns + j];
      Out[i * Columns + j] = Sum;
    }
}

namespace {
struct Picture {
  long Rows = 0, Columns = 0;
  std::array<std::vector<float>, 3> Planes; // red, green, blue; 0 .. 255
};

/// Reads "P6", whitespace- and comment-separated sizes, the depth 255, and the pixels.
class PpmReader {
public:
  explicit PpmReader(const std::string &Path) : Path(Path), In(Path, std::ios::binary) {}

  Picture read() {
    if (!In)
      fail("cannot read '" + Path + "': " + std::strerror(errno));
    char Magic[2] = {};
    In.read(Magic, 2);
    if (Magic[0] != 'P' || Magic[1] != '6')
      fail("'" + Path + "' is not a binary PPM: it does not start with P6");
    Picture Result;
    Result.Columns = number("width");
    Result.Rows = number("height");
    if (number("depth") != 255)
      fail("'" + Path + "': only 8 bits per colour (depth 255) are supported");
    In.get(); // the single whitespace before the pixels
    std::vector<unsigned char> Bytes((std::istreambuf_iterator<char>(In)), {});
    if (Bytes.size() != static_cast<size_t>(3 * Result.Rows * Result.Columns))
      fail("'" + Path + "': expected " + std::to_string(3 * Result.Rows * Result.Columns) +
           " bytes of pixels, found " + std::to_string(Bytes.size()));
    for (size_t I = 0; I < Bytes.size(); ++I)
      Result.Planes[I % 3].push_back(Bytes[I]);
    return Result;
  }

private:
  long number(const char *What) {
    std::string Comment;
    while ((In >> std::ws).peek() == '#')
      std::getline(In, Comment);
    long Number = 0;
    if (!(In >> Number) || Number < 1 || Number > 65535)
      fail("'" + Path + "': the " + What + " must be a number from 1 to 65535");
    return Number;
  }

  std::string Path;
  std::ifstream In;
};
} // namespace

static std::vector<float> gaussian(long Radius) {
  std::vector<float> Filter;
  double Sigma = static_cast<double>(Radius) / 2.0 + 0.25, Total = 0.0;
  for (long K = -Radius; K <= Radius; ++K)
    Total += std::exp(-static_cast<double>(K * K) / (2 * Sigma * Sigma));
  for (long K = -Radius; K <= Radius; ++K)
    Filter.push_back(
        static_cast<float>(std::exp(-static_cast<double>(K * K) / (2 * Sigma * Sigma)) / Total));
  return Filter;
}

// Repeats the border pixels `Radius` times to the left and right.
static void padRows(std::vector<float> &Out, const std::vector<float> &In, long Rows, long Columns,
                    long Radius) {
  for (long I = 0; I < Rows; ++I) {
    const float *Row = &In[I * Columns];
    float *Padded = &Out[I * (Columns + 2 * Radius)];
    std::fill(Padded, Padded + Radius, Row[0]);
    std::copy(Row, Row + Columns, Padded + Radius);
    std::fill(Padded + Radius + Columns, Padded + 2 * Radius + Columns, Row[Columns - 1]);
  }
}

// Fills the extra rows above and below the picture, which starts at row `Radius` of \p Plane.
static void padColumns(std::vector<float> &Plane, long Rows, long Columns, long Radius) {
  for (long K = 0; K < Radius; ++K) {
    std::copy_n(&Plane[Radius * Columns], Columns, &Plane[K * Columns]);
    std::copy_n(&Plane[(Radius + Rows - 1) * Columns], Columns,
                &Plane[(Radius + Rows + K) * Columns]);
  }
}

int main(int Argc, char **Argv) {
  long Radius = 4, Repeat = 200;
  std::string Input = EXAMPLE_DATA_DIR "/picture.ppm", Output;
  CommandLine Line("blur", "separable Gaussian blur of a PPM picture");
  Line.positional("radius", "reach of the filter in pixels", Radius, 0, 100);
  Line.option("image", "picture to blur, binary PPM", Input);
  Line.option("repeat", "number of times the filter is applied", Repeat, 1, 1000000);
  Line.option("output", "file for the blurred picture", Output);
  Line.parse(Argc, Argv);

  Picture Image = PpmReader(Input).read();
  const long Rows = Image.Rows, Columns = Image.Columns;
  std::vector<float> Filter = gaussian(Radius);
  std::vector<float> Wide(Rows * (Columns + 2 * Radius)), Tall((Rows + 2 * Radius) * Columns);

  Stopwatch Watch;
  for (long I = 0; I < Repeat; ++I)
    for (std::vector<float> &Plane : Image.Planes) {
      padRows(Wide, Plane, Rows, Columns, Radius);
      Watch.start();
      blurRows(&Tall[Radius * Columns], Wide.data(), Rows, Columns, Filter.data(), Radius);
      Watch.stop();
      padColumns(Tall, Rows, Columns, Radius);
      Watch.start();
      blurColumns(Plane.data(), Tall.data(), Rows, Columns, Filter.data(), Radius);
      Watch.stop();
    }

  std::vector<unsigned char> Bytes(3 * Rows * Columns);
  Checksum Sum;
  for (size_t P = 0; P < 3; ++P) {
    Sum.add(Image.Planes[P]);
    for (long I = 0; I < Rows * Columns; ++I)
      Bytes[3 * I + P] = static_cast<unsigned char>(std::min(Image.Planes[P][I] + 0.5f, 255.0f));
  }
  writeFile(Output, "P6\n" + std::to_string(Columns) + " " + std::to_string(Rows) + "\n255\n",
            Bytes.data(), Bytes.size());
  report(Sum, Watch);
}
