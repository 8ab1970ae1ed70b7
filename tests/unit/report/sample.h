// One Document with everything that a format must cope with: Chinese, unknown, money, hostile
// texts.
#pragma once

#include "gpusel/report/document.h"

namespace gpusel::report {

inline Table sample_table() {
  Table table;
  table.columns = {{"rank", "#", Align::right, 0},
                   {"offer", "offer", Align::left, 0},
                   {"memory_bytes", "memory", Align::right, 1},
                   {"cost_usd", "cost $", Align::right, 0},
                   {"zone", "zone", Align::left, 3},
                   {"egress_usd", "egress $", Align::right, 3},
                   {"remark", "备注", Align::left, 2}};
  table.rows = {{whole(1), text("阿里云/gn7e-c16g1.4xlarge/cn-beijing"),
                 whole_of(85899345920.0, "80 GiB"), money("98.32"), text("cn-beijing-a"),
                 unknown("no egress price"), text("=HYPERLINK(\"evil\")")},
                {whole(2), text("aws/p5.48xlarge/us-east-1"), null(), money("1234.50", "EUR"),
                 text("a|b"), number(0.1234567, "0.12"), text("\x1b[31m红色\nend")}};
  return table;
}

inline Document sample_document() {
  Document document;
  document.value = object()
                       .set("schema_version", text("1.0"))
                       .set("名称", text("阿里云\x1b[31m\xC2\x9B\xE2\x80\xAE\xFF"))
                       .set("memory_bytes", whole_of(85899345920.0))
                       .set("step_time_s", number(1.23456789))
                       .set("flops_total", number(1.5e22))
                       .set("total", money("98.32"))
                       .set("price", unknown("no price"))
                       .set("flags", list().add(boolean(true)).add(null()).add(number(3)))
                       .set("empty", object());
  Section answer;
  answer.title = "推荐";
  answer.facts = {{"", "One offer fits."},
                  {"最佳选择", "阿里云 gn7e：八张显卡，显存足够，价格最低，预计三天内完成训练。"},
                  {"price", "98.32 USD/h, of 2026-11-20"},
                  {"", "evil \x1b[2J text"}};
  Section offers;
  offers.title = "Offers";
  offers.table = sample_table();
  document.sections = {answer, offers};
  document.main_section = 1;
  return document;
}

}  // namespace gpusel::report
