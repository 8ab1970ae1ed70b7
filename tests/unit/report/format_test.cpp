#include "gpusel/report/format.h"

#include "catch.h"
#include "unit/report/sample.h"

#include "gpusel/base/bug.h"

#include <algorithm>
#include <limits>

namespace gpusel::report {
namespace {

std::string written(std::string_view id, const WriteOptions& options = {}) {
  const Format* format = find_format(id);
  REQUIRE(format != nullptr);
  return format->write(sample_document(), options);
}

TEST_CASE("formats are found by their ids", "[report]") {
  std::vector<std::string_view> ids;
  for (const Format* format : formats()) {
    ids.push_back(format->id);
    CHECK_FALSE(format->summary.empty());
  }
  CHECK(std::is_sorted(ids.begin(), ids.end()));
  for (const std::string_view id : {"csv", "json", "markdown", "table"}) {
    CHECK(std::count(ids.begin(), ids.end(), id) == 1);
  }
  CHECK(find_format("xml") == nullptr);
}

TEST_CASE("the sample as JSON", "[report]") {
  CHECK(written("json") == R"({
  "schema_version": "1.0",
  "名称": "阿里云\u001b[31m\u009b\u202e�",
  "memory_bytes": 85899345920,
  "step_time_s": 1.23457,
  "flops_total": 1.5e+22,
  "total": "98.32",
  "price": null,
  "flags": [
    true,
    null,
    3
  ],
  "empty": {}
}
)");
}

TEST_CASE("the sample as CSV", "[report]") {
  CHECK(written("csv") ==
        "rank,offer,memory_bytes,cost_usd,zone,egress_usd,remark\n"
        "1,阿里云/gn7e-c16g1.4xlarge/cn-beijing,85899345920,98.32,cn-beijing-a,,"
        "\"'=HYPERLINK(\"\"evil\"\")\"\n"
        "2,aws/p5.48xlarge/us-east-1,,1234.50,a|b,0.123457,\"\\x1b[31m红色\nend\"\n");
}

TEST_CASE("the sample as Markdown", "[report]") {
  CHECK(written("markdown") == R"(## 推荐

One offer fits.

- **最佳选择**: 阿里云 gn7e：八张显卡，显存足够，价格最低，预计三天内完成训练。
- **price**: 98.32 USD/h, of 2026-11-20
  - evil \\x1b\[2J text

## Offers

| # | offer | memory | cost $ | zone | egress $ | 备注 |
| ---: | --- | ---: | ---: | --- | ---: | --- |
| 1 | 阿里云/gn7e-c16g1.4xlarge/cn-beijing | 80 GiB | $98.32 | cn-beijing-a | unknown | =HYPERLINK("evil") |
| 2 | aws/p5.48xlarge/us-east-1 | - | 1234.50 EUR | a\|b | 0.12 | \\x1b\[31m红色<br>end |
)");
}

TEST_CASE("the sample as a table", "[report]") {
  CHECK(written("table", {.width = 130}) == R"(推荐
One offer fits.
最佳选择   阿里云 gn7e：八张显卡，显存足够，价格最低，预计三天内完成训练。
price      98.32 USD/h, of 2026-11-20
           evil \x1b[2J text

Offers
#  offer                                 memory       cost $  zone          egress $  备注
1  阿里云/gn7e-c16g1.4xlarge/cn-beijing  80 GiB       $98.32  cn-beijing-a   unknown  =HYPERLINK("evil")
2  aws/p5.48xlarge/us-east-1                  -  1234.50 EUR  a|b               0.12  \x1b[31m红色\x0aend
)");
}

TEST_CASE("the sample as a table for a narrow terminal", "[report]") {
  CHECK(written("table", {.width = 40}) == R"(推荐
One offer fits.
最佳选择   阿里云 gn7e：八张显卡，显存足
           够，价格最低，预计三天内完成
           训练。
price      98.32 USD/h, of 2026-11-20
           evil \x1b[2J text

Offers
#  offer                          cost $
1  阿里云/gn7e-c16g1.4xlar…       $98.32
2  aws/p5.48xlarge/us-east…  1234.50 EUR
columns not shown: memory, zone, egress
$, 备注 (use --format csv or a wider
terminal)
)");
}

TEST_CASE("a JSON line is compact and has no end of line", "[report]") {
  CHECK(json_line(object().set("a", list().add(whole(1)).add(text("b\n")))) ==
        R"({"a":[1,"b\n"]})");
}

TEST_CASE("JSON numbers have 6 significant digits in the shortest form", "[report]") {
  CHECK(json_line(number(0.1)) == "0.1");
  CHECK(json_line(number(2.0 / 3)) == "0.666667");
  CHECK(json_line(number(1234567.0)) == "1234570");
  CHECK(json_line(number(100000.0)) == "100000");
  CHECK(json_line(number(0.0000123)) == "1.23e-05");
  CHECK(json_line(number(-0.0)) == "0");
  CHECK(json_line(number(4.98319e20)) == "4.98319e+20");
  CHECK(json_line(number(6.02214076e23)) == "6.02214e+23");
  CHECK(json_line(whole(9007199254740993)) == "9007199254740993");
}

TEST_CASE("JSON of a number that is not finite is a bug", "[report]") {
  const Value value(Value::Variant(Number{std::numeric_limits<double>::infinity(), ""}));
  CHECK_THROWS_AS(json_line(value), BugError);
}

TEST_CASE("JSON escapes what a terminal would obey", "[report]") {
  CHECK(json_line(text("\x7F\xC2\x80\xE2\x80\xAA\xE2\x81\xA6\xE2\x81\xA9")) ==
        R"("\u007f\u0080\u202a\u2066\u2069")");
  CHECK(json_line(object().set("\x7F", text("é …"))) == R"({"\u007f":"é …"})");
}

TEST_CASE("JSON of text that is not UTF-8 replaces the bad bytes", "[report]") {
  CHECK(json_line(text("a\xFF\xC3z")) == "\"a\xEF\xBF\xBD\xEF\xBF\xBDz\"");
}

}  // namespace
}  // namespace gpusel::report
