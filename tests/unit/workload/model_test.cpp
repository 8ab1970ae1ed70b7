#include "gpusel/workload/model.h"

#include "catch.h"
#include "training_fixture.h"

#include "gpusel/data/document.h"

#include <cmath>

using namespace gpusel;
using namespace gpusel::workload;

namespace {

struct Published {
  const char* name;
  double params;
  double tolerance;
};

std::optional<ModelCard> config(std::string text, diag::Buffer& sink) {
  const diag::SourcePtr source = diag::make_source("config.json", std::move(text));
  const auto document = data::parse_json(source, sink);
  REQUIRE(document.has_value());
  return read_hf_config(*document, sink);
}

bool mentions(const diag::Buffer& sink, std::string_view text) {
  for (const diag::Diagnostic& d : sink.all()) {
    if (d.message.find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("parameters are recounted from the shape", "[workload]") {
  // Exact counts of the published checkpoints.
  const Published published = GENERATE(
      Published{"llama-2-7b", 6738415616, 0}, Published{"llama-2-70b", 68976648192, 0},
      Published{"llama-3.1-8b", 8030261248, 0}, Published{"llama-3.1-70b", 70553706496, 0},
      Published{"llama-3.1-405b", 405853388800, 0}, Published{"mixtral-8x7b", 46702792704, 0},
      Published{"deepseek-v3", 671026419200, 0}, Published{"gpt3-175b", 175e9, 0.004});
  const ModelCard* card = test::data().models.find(published.name);
  INFO(published.name);
  REQUIRE(card != nullptr);
  const ParameterCount n = count_parameters(*card);
  CHECK(std::abs(n.total / published.params - 1) <= published.tolerance + 1e-12);
  CHECK(n.active <= n.total);
}

TEST_CASE("the parts of a parameter count add up", "[workload]") {
  for (const Model& model : test::data().models.models()) {
    if (!std::holds_alternative<ModelCard>(model)) continue;
    const auto& card = std::get<ModelCard>(model);
    INFO(card.id.text());
    const ParameterCount n = count_parameters(card);
    const double sum = n.embedding + n.head + n.positions + n.norms + n.attention_all +
                       (card.linear_attn_layers + card.ssm_layers) * n.recurrent +
                       n.dense_ffn_layers * n.ffn +
                       n.moe_layers * (card.experts * n.expert + n.moe_fixed) + card.extra_params;
    CHECK(n.total == Approx(sum));
    CHECK(std::abs(n.total / card.params - 1) < 0.02);
    CHECK(std::abs(n.active / card.active_params - 1) < 0.02);
  }
}

TEST_CASE("models are found by id and alias without regard to case", "[workload]") {
  const ModelSet& models = test::data().models;
  const ModelCard* card = models.find("meta-llama/LLAMA-3.1-70b");
  REQUIRE(card != nullptr);
  CHECK(card == models.find("Llama-3.1-70B"));
  CHECK(models.find("llama-3.1-71b") == nullptr);
}

TEST_CASE("KV bytes per token are those of the cache layouts", "[workload]") {
  const std::pair<const char*, double> check =
      GENERATE(std::pair{"llama-2-7b", 524288.0}, std::pair{"llama-3.1-8b", 131072.0},
               std::pair{"llama-3.1-70b", 327680.0}, std::pair{"llama-3.1-405b", 516096.0},
               std::pair{"mixtral-8x7b", 131072.0}, std::pair{"deepseek-v3", 70272.0},
               std::pair{"falcon-7b", 8192.0}, std::pair{"gemma-3-4b", 139264.0},
               std::pair{"gpt2-xl", 307200.0});
  const ModelCard* card = test::data().models.find(check.first);
  INFO(check.first);
  REQUIRE(card != nullptr);
  CHECK(units::in_bytes(kv_bytes_per_token(*card, 2)) == check.second);
}

TEST_CASE("windowed layers stop growing", "[workload]") {
  const ModelCard* card = test::data().models.find("gemma-3-4b");
  REQUIRE(card != nullptr);
  const double grown =
      units::in_bytes(kv_bytes(*card, 9000, 2)) - units::in_bytes(kv_bytes(*card, 8000, 2));
  CHECK(grown == 1000 * 20480.0);
}

TEST_CASE("a plausible architecture has the asked size", "[workload]") {
  for (double params = 1e6; params < 1e13; params *= 1.37) {
    const ModelCard card = plausible_card({params});
    INFO(params);
    CHECK(std::abs(count_parameters(card).total / params - 1) < 0.01);
    CHECK(card.hidden == card.heads * card.head_dim);
    CHECK(card.heads % card.kv_heads == 0);
  }
  const auto moe = plausible_moe_card({671e9}, {37e9});
  REQUIRE(moe.has_value());
  CHECK(std::abs(moe->params / 671e9 - 1) < 0.01);
  CHECK(std::abs(moe->active_params / 37e9 - 1) < 0.01);
  CHECK_FALSE(plausible_moe_card({10e9}, {10e9}).has_value());
}

TEST_CASE("a Hugging Face config is read as it is", "[workload]") {
  diag::Buffer sink;
  const auto llama = config(R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
    "torch_dtype": "bfloat16", "rope_scaling": {"factor": 8.0}, "some_new_key": [1, 2]})",
                            sink);
  REQUIRE(llama.has_value());
  CHECK(llama->params == 8030261248.0);
  CHECK(llama->native_dtype == "bf16");

  const auto deepseek =
      config(R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61,
    "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 18432, "vocab_size": 129280,
    "n_routed_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "n_shared_experts": 1,
    "first_k_dense_replace": 3, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64, "v_head_dim": 128, "num_nextn_predict_layers": 1})",
             sink);
  REQUIRE(deepseek.has_value());
  CHECK(deepseek->params == Approx(671026419200.0).epsilon(1e-6));
  CHECK(units::in_bytes(kv_bytes_per_token(*deepseek, 2)) == 70272.0);

  const auto gpt2 = config(
      R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257,
    "n_positions": 1024})",
      sink);
  REQUIRE(gpt2.has_value());
  CHECK(gpt2->params == 124439808.0);

  const auto nested = config(
      R"({"model_type": "gemma3", "text_config": {"hidden_size": 2560, "num_hidden_layers": 34,
    "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "intermediate_size": 10240,
    "vocab_size": 262208, "sliding_window": 1024}})",
      sink);
  REQUIRE(nested.has_value());
  CHECK(nested->tied_embeddings);
  CHECK(nested->global_attn_every == 6);
  CHECK_FALSE(sink.has_errors());
}

TEST_CASE("faults of a Hugging Face config are named", "[workload]") {
  diag::Buffer missing;
  CHECK_FALSE(
      config(R"({"model_type": "llama", "num_hidden_layers": 2, "vocab_size": 10})", missing)
          .has_value());
  CHECK(mentions(missing, "hidden_size"));
  CHECK(mentions(missing, "num_attention_heads"));
  CHECK(mentions(missing, "intermediate_size"));

  diag::Buffer wrong;
  CHECK_FALSE(config(R"({"model_type": "llama", "hidden_size": -4, "num_hidden_layers": "many",
    "num_attention_heads": 0, "intermediate_size": 8, "vocab_size": 10})",
                     wrong)
                  .has_value());
  CHECK(mentions(wrong, "num_hidden_layers"));

  diag::Buffer encoder;
  CHECK_FALSE(config(R"({"model_type": "bert", "hidden_size": 768})", encoder).has_value());
  CHECK(mentions(encoder, "bert"));

  diag::Buffer list;
  CHECK_FALSE(config("[1, 2]", list).has_value());
  CHECK(list.has_errors());
}
