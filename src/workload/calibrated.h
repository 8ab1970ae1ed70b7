// A workload whose estimates are multiplied by the factors of a calibration, machine by machine.
#pragma once

#include "gpusel/workload/calibration.h"
#include "gpusel/workload/workload.h"

#include <functional>
#include <memory>

namespace gpusel::workload {

struct Factors {
  double time = 1;
  double throughput = 1;
  double memory = 1;
  [[nodiscard]] bool none() const { return time == 1 && throughput == 1 && memory == 1; }
};

/// How a kind takes part.
struct Calibrating {
  MeasuredKind kind = MeasuredKind::training;
  /// Which factors hold on a machine.
  std::function<CalibrationKey(const estimate::Machine&)> key;
  /// The work with its limits and loads as the raw estimate must see them, so that the multiplied
  /// one meets them; empty where the work has none.
  std::function<std::unique_ptr<const Workload>(const Factors&)> scaled;
  bool open_load = false;   // the rate is not given by clients: throughput has a factor of its own
  double later_tokens = 0;  // of an answer, for the rate of clients
};

/// `inner` itself where nothing is calibrated.
std::unique_ptr<const Workload> calibrated(std::unique_ptr<const Workload> inner,
                                           CalibrationSet set, Calibrating how);

/// The format's name in calibrations: `auto` is bf16, or fp16 on a GPU without bf16.
std::string calibration_format(std::string_view asked, const estimate::Machine& machine);

}  // namespace gpusel::workload
