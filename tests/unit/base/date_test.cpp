// Dates: strict ISO form, days that exist.
#include "gpusel/base/date.h"

#include "catch.h"

#include <string>

using namespace gpusel;

TEST_CASE("a day that exists is read and written alike", "[base]") {
  const std::string text =
      GENERATE("2026-11-20", "2024-02-29", "2000-02-29", "1999-12-31", "2026-01-01", "0001-01-01");
  CHECK(Date::parse(text)->text() == text);
}

TEST_CASE("a day that does not exist is named as one", "[base]") {
  const std::string text = GENERATE("2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10",
                                    "2026-04-31", "2026-01-00", "2026-01-32");
  CAPTURE(text);
  CHECK(Date::parse(text).error().message == "'" + text + "' is a day that does not exist");
}

TEST_CASE("any other form is not a date", "[base]") {
  const std::string text =
      GENERATE("", "2026-1-1", "20261120", "2026/11/20", "2026-11-20T00:00", "26-11-20",
               "2026-11- 1", "2026-+1-01", "-026-11-20", "20-11-2026", " 2026-11-20", "2026-11-2x");
  CAPTURE(text);
  const Result<Date> date = Date::parse(text);
  REQUIRE_FALSE(date);
  CHECK(date.error().message == "'" + text + "' is not a date");
  CHECK(date.error().length == text.size());
  CHECK(date.error().help == "write the day as YYYY-MM-DD, such as 2026-11-20");
}

TEST_CASE("days are counted across leap years", "[base]") {
  const Date begin = *Date::parse("2024-02-28");
  CHECK(Date::parse("2024-03-01")->days_since(begin) == 2);
  CHECK(Date::parse("2023-03-01")->days_since(*Date::parse("2023-02-28")) == 1);
  CHECK(begin.days_since(*Date::parse("2024-03-01")) == -2);
  CHECK(*Date::parse("2026-01-31") < *Date::parse("2026-02-01"));
  CHECK(Date() == *Date::parse("1970-01-01"));
}
