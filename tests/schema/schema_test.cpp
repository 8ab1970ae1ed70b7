#include "schema/schema.h"

#include "catch.h"
#include "support/diff.h"
#include "support/fake_run.h"

#include <string>
#include <vector>

namespace {

using gpusel::test::fake_run;
using gpusel::test::lines_of;
using gpusel::test::RunResult;
using gpusel::test::sarif_faults;
using gpusel::test::schema_faults;
using gpusel::test::shell_words;

const char* const kPatch =
    "patch: acme\nsources:\n  c: {url: 'https://example.com', date: 2026-11-01, confidence: "
    "verified}\npatches:\n"
    "  - {on: price, where: {provider: aws}, set: {discount: 10 %}, source: c}\n"
    "  - {on: instance, where: {instance: p5.48xlarge}, set: {network: 1600 Gbps}, source: c}\n";
const char* const kTrainingRows =
    "id,model,params_total,layers,hidden,heads,ffn,vocab,seq_len,global_batch,gpu_id,gpu_count,"
    "framework,tp,pp,step_time_s,peak_memory_gb_per_gpu\n"
    "a,gpt-1.7b,1652226048,24,2304,24,9216,51200,2048,512,nvidia-a100-sxm4-80gb,32,megatron-lm,1,1,"
    "3.528,\n"
    "b,gpt-1.7b,1652226048,24,2304,24,9216,51200,2048,512,nvidia-h100-sxm5-80gb,32,megatron-lm,1,1,"
    ",60\n"
    "c,gpt-1.7b,,,,,,,2048,512,nvidia-a100-sxm4-80gb,32,none,1,1,3,\n";
const char* const kServingRows =
    "id,model,gpu_id,gpu_count,engine,kind,input_len,output_len,concurrency_or_batch,tpot_ms\n"
    "a,llama-3.1-8b,nvidia-h100-sxm5-80gb,1,vllm,closed-loop,1024,256,16,9\n"
    "b,llama-3.1-8b,nvidia-l40s-48gb,1,vllm,closed-loop,1024,256,16,25\n"
    "c,llama-3.1-8b,nvidia-l40s-48gb,1,vllm,mlperf-server,1024,256,16,25\n";

RunResult run_json(const std::string& command) {
  gpusel::test::FakeWorld world;
  world.args = shell_words(command);
  world.args.emplace_back("--json");
  world.files = {{"broken.yaml", "provider: x\nname: [a\n"},
                 {"faulty.yaml", "provider: x\nname: X\nregons: []\n"},
                 {"patch.yaml", kPatch},
                 {"runs.csv", kTrainingRows},
                 {"serving.csv", kServingRows},
                 {"allowed.yaml",
                  "# gpusel: allow-file catalog/no-instances: to come\nprovider: x\nname: X\n"}};
  return fake_run(world);
}

struct Case {
  const char* command;
  int exit_code;
};

const char* const kRender =
    "recommend --workload rendering --frames 2400 --frame-time 12min@nvidia-rtx-a6000-48gb "
    "--scene-memory 18GB";

}  // namespace

TEST_CASE("an answer of recommend follows its schema", "[schema]") {
  const Case c = GENERATE(
      Case{"recommend --workload llm-train --params 10B", 0},
      Case{"recommend --workload llm-train --params 1B --all --top 40 --purchase "
           "on-demand,spot,reserved-1y --optimize cost --gpu-count 1..8 --gpu-memory 24GB..",
           0},
      Case{"recommend --workload llm-train --params 1B --show-rejected --deadline 7d "
           "--budget '$50000' --max-price '$100/h' --max-age 400d",
           0},
      Case{"recommend --workload llm-train --params 10T --max-nodes 1 --show-rejected", 1},
      Case{"recommend --workload llm-inference --model llama-3.1-70b --rate 5/s --purchase "
           "on-demand,spot",
           0},
      Case{"recommend --workload llm-inference --model llama-3.1-8b", 0},
      Case{"recommend --workload llm-inference --model llama-3.1-8b --rate 2/s --duty 30% "
           "--api-price 0.1/0.4 --weights-dtype auto --purchase on-demand,reserved-1y",
           0},
      Case{"recommend --workload llm-inference --model llama-3.1-8b --rate 2/s --api-price "
           "groq/llama-3.1-8b --min-replicas 2 --load-headroom 40%",
           0},
      Case{"recommend --workload llm-inference --model llama-3.1-8b --estimator document", 0},
      Case{"recommend --workload encoder-inference --model bert-large", 0},
      Case{"recommend --workload speech-inference --model whisper-small", 0},
      Case{"recommend --workload llm-train --params 1B --estimator document", 0}, Case{kRender, 0});
  CAPTURE(c.command);
  const RunResult r = run_json(c.command);
  CHECK(r.exit_code == c.exit_code);
  CHECK(r.err == "");
  CHECK(schema_faults("recommend", r.out) == "");
}

TEST_CASE("an answer of estimate follows its schema", "[schema]") {
  const std::string command = GENERATE(
      as<std::string>{}, "--workload llm-train --params 1B --on nvidia-a100-sxm4-80gb",
      "--workload llm-finetune --model llama-3.1-8b --method qlora --on nvidia-a100-sxm4-80gb",
      "--workload encoder-train --model bert-large --head classifier --on nvidia-a100-sxm4-80gb",
      "--workload encoder-inference --model bert-large --sequences 1M --on nvidia-l4-24gb",
      "--workload encoder-inference --model bert-large --rate 20/s --on nvidia-l4-24gb",
      "--workload speech-inference --model whisper-large-v3 --audio 900h --on nvidia-l4-24gb",
      "--workload llm-train --params 70B --on nvidia-t4-16gb",
      "--workload llm-train --params 70B --on aws/p5.48xlarge --nodes 16",
      "--workload llm-train --params 1B --on 8xnvidia-h100-sxm5-80gb --estimator document",
      "--workload llm-inference --model llama-3.1-8b --concurrency 32 --on nvidia-l40s-48gb",
      "--workload llm-inference --model llama-3.1-8b --on nvidia-l40s-48gb --estimator document",
      "--workload rendering --frames 9 --frame-time 12min@nvidia-rtx-a6000-48gb --scene-memory "
      "18GB --on nvidia-l40s-48gb");
  CAPTURE(command);
  const RunResult r = run_json("estimate " + command);
  CHECK(r.exit_code == 0);
  CHECK(r.err == "");
  CHECK(schema_faults("estimate", r.out) == "");
}

TEST_CASE("an answer of catalog check follows its schema", "[schema]") {
  const Case c = GENERATE(Case{"catalog check", 0}, Case{"catalog check faulty.yaml", 1},
                          Case{"catalog check broken.yaml", 3}, Case{"catalog check none.yaml", 3},
                          Case{"catalog check allowed.yaml", 0});
  CAPTURE(c.command);
  const RunResult r = run_json(c.command);
  CHECK(r.exit_code == c.exit_code);
  CHECK(schema_faults("catalog-check", r.out) == "");
}

TEST_CASE("an answer of validate follows its schema", "[schema]") {
  const std::string options =
      GENERATE(as<std::string>{}, "", "--rows", "--by gpu", "--write-calibration ours.yaml");
  const std::string file = GENERATE(as<std::string>{}, "runs.csv", "serving.csv");
  CAPTURE(options, file);
  const RunResult r = run_json("validate " + file + " " + options);
  CHECK(r.exit_code == 0);
  CHECK(r.err == "");
  CHECK(schema_faults("validate", r.out) == "");
}

TEST_CASE("the list of codes follows its schema", "[schema]") {
  const RunResult r = run_json("catalog check --list");
  CHECK(r.exit_code == 0);
  CHECK(schema_faults("catalog-check-list", r.out) == "");
}

TEST_CASE("findings as SARIF follow the schema of SARIF 2.1.0", "[schema]") {
  for (const char* file : {"faulty.yaml", "broken.yaml", "none.yaml", "allowed.yaml", ""}) {
    gpusel::test::FakeWorld world;
    world.args = shell_words(std::string("catalog check --format sarif ") + file);
    world.files = {{"broken.yaml", "provider: x\nname: [a\n"},
                   {"faulty.yaml", "provider: x\nname: X\nregons: []\n"},
                   {"allowed.yaml",
                    "# gpusel: allow-file catalog/no-instances: to come\nprovider: x\nname: X\n"}};
    CAPTURE(file);
    const RunResult r = fake_run(world);
    CHECK(r.err == "");
    CHECK(sarif_faults(r.out) == "");
  }
  CHECK(sarif_faults(R"({"version": "2.1.0"})") != "");
  CHECK(sarif_faults(R"({"version": "2.1.0", "runs": [{"tool": {}}]})") != "");
}

TEST_CASE("an answer of list and show follows the schema of its list", "[schema]") {
  struct List {
    const char* schema;
    const char* command;
  };
  const List c = GENERATE(
      List{"catalog-list", "catalog list"}, List{"catalog-list", "catalog show p5.48xlarge"},
      List{"gpus-list", "gpus list"}, List{"gpus-list", "gpus show h200"},
      List{"models-list", "models list"}, List{"models-list", "models show llama-3.1-8b"},
      List{"models-list", "models show resnet-50 t5-base mamba-2.8b dit-xl-2 sd-1.5 dlrm-v2-dcn"},
      List{"models-list", "models list --fits 8xnvidia-h100-sxm5-80gb --context 32k"},
      List{"models-list", "models list --fits nvidia-t4-16gb --engine llama.cpp"},
      List{"catalog-list", "catalog list --files"},
      List{"catalog-list", "catalog list --group gpu"},
      List{"catalog-list", "catalog show p5.48xlarge --catalog patch.yaml"},
      List{"catalog-diff", "catalog diff builtin patch.yaml --provider aws"},
      List{"catalog-schema", "catalog schema"}, List{"workloads-list", "workloads list"},
      List{"workloads-list", "workloads show chat-8b"});
  CAPTURE(c.command);
  const RunResult r = run_json(c.command);
  CHECK(r.exit_code == 0);
  CHECK(r.err == "");
  CHECK(schema_faults(c.schema, r.out) == "");
}

TEST_CASE("diagnostics on standard error follow their schema, one a line", "[schema]") {
  const Case c =
      GENERATE(Case{"recommend --workload llm-trian", 2}, Case{"recommend --params 10", 2},
               Case{"recommend --workload llm-train --params 10 --tokens 5x", 2},
               Case{"recommend --frobnicate", 2},
               Case{"recommend --workload llm-train --params 1B --catalog broken.yaml", 3});
  CAPTURE(c.command);
  const RunResult r = run_json(c.command);
  CHECK(r.exit_code == c.exit_code);
  CHECK(r.out == "");
  CHECK(r.err != "");
  for (const std::string& line : lines_of(r.err)) CHECK(schema_faults("diagnostic", line) == "");
}

TEST_CASE("the schemas reject what they should", "[schema]") {
  CHECK(schema_faults("diagnostic", "{}") != "");
  std::string finding =
      R"({"code":"data/empty","severity":"error","file":null,"line":null,"column":null,)"
      R"("message":"m","help":null,"suppressed":false})";
  CHECK(schema_faults("diagnostic", finding) == "");
  CHECK(schema_faults("diagnostic", finding.insert(1, R"("extra":1,)")) != "");
  std::string answer = run_json("recommend --workload llm-train --params 10B --top 1").out;
  const std::string total = "\"total\": \"";
  const std::size_t at = answer.find(total);
  REQUIRE(at != std::string::npos);
  CHECK(schema_faults("recommend", answer.insert(at + total.size(), "about ")) != "");
}
