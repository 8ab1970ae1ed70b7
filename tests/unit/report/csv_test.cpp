#include "catch.h"
#include "unit/report/sample.h"

#include "gpusel/base/bug.h"
#include "gpusel/report/format.h"

namespace gpusel::report {
namespace {

std::string as_csv(std::vector<Value> row) {
  Table table;
  for (std::size_t i = 0; i < row.size(); ++i) {
    table.columns.push_back({"c" + std::to_string(i), "title", Align::left, 0});
  }
  table.rows = {std::move(row)};
  Document document;
  document.sections = {Section{"", {}, table}};
  const std::string out = find_format("csv")->write(document, {});
  return out.substr(out.find('\n') + 1);
}

TEST_CASE("CSV quotes as RFC 4180 asks", "[report]") {
  CHECK(as_csv({text("a,b"), text("say \"hi\""), text("a\nb"), text("plain"), text(" x")}) ==
        "\"a,b\",\"say \"\"hi\"\"\",\"a\nb\",plain,\" x\"\n");
}

TEST_CASE("CSV neutralises text that a spreadsheet would run", "[report]") {
  CHECK(as_csv({text("=1+1"), text("+cmd"), text("-cmd"), text("@SUM(A1)"), text("\tx")}) ==
        "'=1+1,'+cmd,'-cmd,'@SUM(A1),'\tx\n");
  CHECK(as_csv({text("＝1"), text("\r=1"), text("=1,2"), text("a=b")}) ==
        "'＝1,\"'\r=1\",\"'=1,2\",a=b\n");
  CHECK(as_csv({money("=1")}) == "'=1\n");
}

TEST_CASE("CSV keeps negative numbers", "[report]") {
  CHECK(as_csv({whole(-5, "-5 GB"), number(-0.5), money("-12.50"), text("-7")}) ==
        "-5,-0.5,-12.50,-7\n");
}

TEST_CASE("CSV writes raw values", "[report]") {
  CHECK(as_csv({boolean(true), null(), unknown("why"), number(2.0 / 3, "0.7"),
                list().add(whole(1)).add(text("a"))}) == "true,,,0.666667,\"[1,\"\"a\"\"]\"\n");
  CHECK(as_csv({object().set("tp", whole(8))}) == "\"{\"\"tp\"\":8}\"\n");
}

TEST_CASE("a CSV row of one empty cell is not an empty line", "[report]") {
  CHECK(as_csv({unknown("why")}) == "\"\"\n");
}

TEST_CASE("CSV of an empty table is its header", "[report]") {
  Document document = sample_document();
  document.sections[1].table->rows.clear();
  CHECK(find_format("csv")->write(document, {}) ==
        "rank,offer,memory_bytes,cost_usd,zone,egress_usd,remark\n");
}

TEST_CASE("CSV without a main table is a bug", "[report]") {
  Document document = sample_document();
  document.main_section = 0;
  CHECK_THROWS_AS(find_format("csv")->write(document, {}), BugError);
  document.main_section = 2;
  CHECK_THROWS_AS(find_format("csv")->write(document, {}), BugError);
}

}  // namespace
}  // namespace gpusel::report
