#include "gpusel/base/date.h"

namespace gpusel {
namespace {

std::string two_digits(unsigned value) { return (value < 10 ? "0" : "") + std::to_string(value); }

// Digits only; parse_integer refuses leading zeros, which a date has.
int digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace

Result<Date> Date::parse(std::string_view text) {
  const Error fault{"'" + std::string(text) + "' is not a date",
                    "write the day as YYYY-MM-DD, such as 2026-11-20", 0, text.size()};
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return fault;
  const int year = digits(text.substr(0, 4));
  const int month = digits(text.substr(5, 2));
  const int day = digits(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) return fault;
  const std::chrono::year_month_day ymd{std::chrono::year(year),
                                        std::chrono::month(static_cast<unsigned>(month)),
                                        std::chrono::day(static_cast<unsigned>(day))};
  if (!ymd.ok()) {
    return Error{"'" + std::string(text) + "' is a day that does not exist", fault.help, 0,
                 text.size()};
  }
  return Date(std::chrono::sys_days(ymd));
}

std::string Date::text() const {
  const std::chrono::year_month_day ymd(day_);
  std::string year = std::to_string(static_cast<int>(ymd.year()));
  year.insert(0, year.size() < 4 ? 4 - year.size() : 0, '0');
  return year + "-" + two_digits(static_cast<unsigned>(ymd.month())) + "-" +
         two_digits(static_cast<unsigned>(ymd.day()));
}

}  // namespace gpusel
