// Date: a calendar day, strict ISO form.
#pragma once

#include "gpusel/base/expected.h"

#include <chrono>
#include <compare>
#include <string>
#include <string_view>

namespace gpusel {

class Date {
 public:
  Date() = default;
  explicit Date(std::chrono::sys_days day) : day_(day) {}

  /// `YYYY-MM-DD` only; a day that does not exist is an error.
  static Result<Date> parse(std::string_view text);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::chrono::sys_days days() const { return day_; }
  friend auto operator<=>(const Date&, const Date&) = default;
  /// Whole days from `earlier` to this day; negative when it lies before.
  [[nodiscard]] int days_since(Date earlier) const {
    return static_cast<int>((day_ - earlier.day_).count());
  }

 private:
  std::chrono::sys_days day_{};
};

}  // namespace gpusel
