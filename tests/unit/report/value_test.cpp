#include "gpusel/report/value.h"

#include "catch.h"

#include "gpusel/base/bug.h"

#include <limits>

namespace gpusel::report {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_CASE("a value shows the text that people read", "[report]") {
  CHECK(null().shown() == "-");
  CHECK(boolean(true).shown() == "yes");
  CHECK(boolean(false).shown() == "no");
  CHECK(whole(85899345920).shown() == "85899345920");
  CHECK(whole(85899345920, "80 GiB").shown() == "80 GiB");
  CHECK(number(1.23456789).shown() == "1.23457");
  CHECK(number(1.23456789, "1.2 s").shown() == "1.2 s");
  CHECK(unknown("no price").shown() == "unknown");
  CHECK(text("阿里云").shown() == "阿里云");
}

TEST_CASE("money shows its currency unless a text is given", "[report]") {
  CHECK(money("98.32").shown() == "$98.32");
  CHECK(money("-5.00").shown() == "-$5.00");
  CHECK(money("11.20", "EUR").shown() == "11.20 EUR");
  CHECK(money("12345.67", "USD", "$12,346").shown() == "$12,346");
}

TEST_CASE("lists and objects show their parts in order", "[report]") {
  CHECK(list().add(whole(8)).add(text("a")).shown() == "8, a");
  CHECK(object().set("tp", whole(8)).set("pp", whole(2)).shown() == "tp 8, pp 2");
}

TEST_CASE("an object keeps the order of its members and finds them", "[report]") {
  Value value = object();
  value.set("z", whole(1)).set("a", whole(2));
  const Object* members = value.get<Object>();
  REQUIRE(members != nullptr);
  CHECK(members->front().key == "z");
  REQUIRE(value.find("a") != nullptr);
  CHECK(value.find("a")->get<WholeNumber>()->value == 2);
  CHECK(value.find("b") == nullptr);
}

TEST_CASE("a key twice, a member of no object and an item of no list are bugs", "[report]") {
  CHECK_THROWS_AS(object().set("a", null()).set("a", null()), BugError);
  CHECK_THROWS_AS(list().set("a", null()), BugError);
  CHECK_THROWS_AS(object().add(null()), BugError);
  CHECK_THROWS_AS(text("a").find("a"), BugError);
}

TEST_CASE("bytes held as double become whole numbers", "[report]") {
  CHECK(whole_of(85899345920.0).get<WholeNumber>()->value == 85899345920);
  CHECK(whole_of(2.6).get<WholeNumber>()->value == 3);
  CHECK(whole_of(-2.6).get<WholeNumber>()->value == -3);
}

TEST_CASE("numbers that are not finite or too large for a whole number are bugs", "[report]") {
  CHECK_THROWS_AS(number(kInfinity), BugError);
  CHECK_THROWS_AS(number(std::numeric_limits<double>::quiet_NaN()), BugError);
  CHECK_THROWS_AS(whole_of(kInfinity), BugError);
  CHECK_THROWS_AS(whole_of(1e19), BugError);
}

}  // namespace
}  // namespace gpusel::report
