// Cards of models that are no language models: what they count to, and what is refused.
#include "catch.h"
#include "training_fixture.h"

#include "gpusel/base/io.h"
#include "gpusel/workload/model.h"

#include <cmath>

using namespace gpusel;
using namespace gpusel::workload;

namespace {

const ModelHead& shipped(const char* name) {
  const Model* model = test::data().models.find_model(name);
  INFO(name);
  REQUIRE(model != nullptr);
  return head_of(*model);
}

double counted(const char* name) {
  const Model* model = test::data().models.find_model(name);
  INFO(name);
  REQUIRE(model != nullptr);
  const std::optional<double> count = counted_parameters(*model);
  REQUIRE(count.has_value());
  return *count;
}

// The messages of a file of one card.
std::string faults_of(const std::string& card) {
  const Files files = memory_files(
      {{"m.yaml",
        "models: m\nsources:\n  paper: {url: \"https://example.com\", confidence: recalled}\n"
        "entries:\n  - {id: m, source: paper, params: 100, active_params: 100, " +
            card + "}\n"}});
  diag::Buffer faults;
  data::DataSet set = data::DataSet::open({{data::Root::Kind::path, "m.yaml"}}, files, faults);
  static_cast<void>(load_models(set, faults));
  std::string text;
  for (const diag::Diagnostic& d : faults.all()) text += d.code + ": " + d.message + "\n";
  return text;
}

// One layer of an encoder with biases: four square maps, a feed-forward part of 4 h, two norms.
double encoder_layer(double h) { return 12 * h * h + 13 * h; }

}  // namespace

TEST_CASE("every kind of model counts to its published size", "[workload]") {
  // Published counts of the checkpoints; of the recommenders, the sums of their tables and
  // networks.
  const std::pair<const char*, double> published =
      GENERATE(std::pair{"bert-base", 109482240.0}, std::pair{"roberta-large", 355359744.0},
               std::pair{"bge-m3", 567754752.0}, std::pair{"t5-base", 222903552.0},
               std::pair{"flan-t5-xxl", 11135332352.0}, std::pair{"whisper-tiny", 37760640.0},
               std::pair{"whisper-large-v3-turbo", 808878080.0}, std::pair{"vit-b-16", 86567656.0},
               std::pair{"clip-vit-b-32", 151277313.0}, std::pair{"mamba-2.8b", 2768345600.0},
               std::pair{"resnet-50", 25557032.0}, std::pair{"resnet-152", 60192808.0},
               std::pair{"convnext-base", 88591464.0}, std::pair{"dit-xl-2", 675129632.0},
               std::pair{"dlrm-mlperf-v1", 26137996161.0}, std::pair{"dlrm-v2-dcn", 26151671809.0});
  INFO(published.first);
  CHECK(counted(published.first) == published.second);
}

TEST_CASE("counts agree with closed forms of the papers", "[workload]") {
  // BERT (arXiv 1810.04805): tables of words, places and two segments with a norm; a pooler.
  const double h = 768;
  CHECK(counted("bert-base") == (30522 + 512 + 2 + 2) * h + 12 * encoder_layer(h) + (h * h + h));
  // ViT (arXiv 2010.11929): patches of 16 x 16 x 3, a class token, 197 places, a norm, 1000
  // classes.
  CHECK(counted("vit-b-16") ==
        (768 * h + h) + h + 197 * h + 12 * encoder_layer(h) + 2 * h + 1000 * (h + 1));
  // T5 (arXiv 1910.10683): no biases; 32 relative places for each head in both stacks.
  const double ff = 3072;
  const double encoder = 4 * h * h + 2 * h * ff + 2 * h;
  const double decoder = 8 * h * h + 2 * h * ff + 3 * h;
  CHECK(counted("t5-base") == 32128 * h + 12 * (encoder + decoder) + 2 * h + 2 * 32 * 12);
  // Whisper (arXiv 2212.04356): keys without a bias, two convolutions of width 3 over 80 bands.
  const double w = 384;
  const double listen = 4 * w * w + 3 * w + 8 * w * w + 5 * w + 4 * w;
  const double speak = listen + 4 * w * w + 3 * w + 2 * w;
  CHECK(counted("whisper-tiny") == 51865 * w + 448 * w + 1500 * w + 4 * (listen + speak) + 4 * w +
                                       (3 * 80 * w + w) + (3 * w * w + w));
}

TEST_CASE("ResNet-50 counts layer by layer", "[workload]") {
  // arXiv 1512.03385, table 1: {blocks, inside, outside} of the four stages.
  struct Stage {
    int blocks;
    double inside;
    double outside;
  };
  double n = 7 * 7 * 3 * 64 + 2 * 64;
  double in = 64;
  for (const Stage& s :
       {Stage{3, 64, 256}, Stage{4, 128, 512}, Stage{6, 256, 1024}, Stage{3, 512, 2048}}) {
    for (int block = 0; block < s.blocks; ++block) {
      n += in * s.inside + 2 * s.inside + 9 * s.inside * s.inside + 2 * s.inside +
           s.inside * s.outside + 2 * s.outside;
      if (block == 0) n += in * s.outside + 2 * s.outside;
      in = s.outside;
    }
  }
  CHECK(counted("resnet-50") == n + 2048 * 1000 + 1000);
}

TEST_CASE("recommenders are their tables and networks", "[workload]") {
  // 204,184,588 rows of 128; dense parts of 2,368,897 and 16,044,545 parameters.
  const double tables = 204184588.0 * 128;
  CHECK(counted("dlrm-mlperf-v1") == tables + 2368897);
  CHECK(counted("dlrm-v2-dcn") == tables + 16044545);
  // What one sample touches: 26 and 214 rows, and the networks.
  CHECK(shipped("dlrm-mlperf-v1").active_params == 26 * 128 + 2368897);
  CHECK(shipped("dlrm-v2-dcn").active_params == 214 * 128 + 16044545);
}

TEST_CASE("a card without the dimensions for a count says so", "[workload]") {
  for (const char* name : {"sd-1.5", "sdxl-base", "flux.1-dev", "wan2.1-t2v-14b"}) {
    const Model* model = test::data().models.find_model(name);
    INFO(name);
    REQUIRE(model != nullptr);
    CHECK_FALSE(counted_parameters(*model).has_value());
    CHECK_FALSE(head_of(*model).forward.empty());
  }
}

TEST_CASE("every shipped card counts to what it states", "[workload]") {
  std::size_t counted_cards = 0;
  for (const Model& model : test::data().models.models()) {
    const ModelHead& head = head_of(model);
    INFO(head.id.text());
    const std::optional<double> count = counted_parameters(model);
    if (count) ++counted_cards;
    if (count) CHECK(std::abs(*count / head.params - 1) < 2e-5);
    CHECK(head.active_params <= head.params);
    CHECK_FALSE(head.source.empty());
  }
  CHECK(test::data().models.models().size() == 246);
  CHECK(counted_cards == 234);
}

TEST_CASE("what caches keys and values, and what keeps a state", "[workload]") {
  const auto bytes = [](const char* name) {
    return units::in_bytes(
        kv_bytes_per_token(std::get<ModelCard>(*test::data().models.find_model(name)), 2));
  };
  CHECK(bytes("bert-base") == 0);
  CHECK(bytes("qwen3-embedding-0.6b") == 0);
  CHECK(bytes("mamba-2.8b") == 0);
  CHECK(bytes("t5-base") == 12 * 2 * 768 * 2);  // of the decoder's own attention
  const auto& mamba = std::get<ModelCard>(*test::data().models.find_model("mamba-130m"));
  // 24 layers of 1536 channels: 16 states and 4 inputs of the convolution, which also sees the
  // two state vectors of 16; 4 bytes each.
  CHECK(kv_shape(mamba, 2).state_bytes == 24 * (1536 * 16 + 4 * (1536 + 2 * 16)) * 4.0);
}

TEST_CASE("only decoders are found as such", "[workload]") {
  const ModelSet& models = test::data().models;
  CHECK(models.find("llama-3.1-8b") != nullptr);
  for (const char* name : {"bert-base", "resnet-50", "mamba-2.8b", "t5-base", "dlrm-v2-dcn"}) {
    INFO(name);
    CHECK(models.find(name) == nullptr);
    CHECK(models.find_model(name) != nullptr);
  }
  std::string why;
  CHECK(test::training({{"model", "timm/resnet50"}, {"tokens", "1B"}}, &why) == nullptr);
  CHECK(why.find("'timm/resnet50' is a convolutional vision model") != std::string::npos);
  CHECK(why.find("models list --kind dense-llm,moe-llm") != std::string::npos);
}

TEST_CASE("the kind decides which keys a card has", "[workload]") {
  CHECK(faults_of("layers: 2").find("data/missing-key: key 'kind' is missing") !=
        std::string::npos);
  CHECK(faults_of("kind: resnet").find("data/unknown-choice") != std::string::npos);
  const std::string cnn =
      "kind: vision-cnn, block: bottleneck, depths: [1], widths: [1], classes: 1, image_px: 8";
  CHECK(faults_of(cnn + ", heads: 2").find("unknown key 'heads'") != std::string::npos);
  CHECK(faults_of("kind: vision-cnn, block: bottleneck").find("'classes'") != std::string::npos);
  CHECK(faults_of("kind: ssm, layers: 2, hidden: 4, max_context: 9, vocab: 5, tied_embeddings: "
                  "true, heads: 2")
            .find("unknown key 'heads'") != std::string::npos);
  CHECK(faults_of("kind: enc-dec, layers: 2, hidden: 4, max_context: 9, vocab: 5, tied_embeddings: "
                  "true, ffn_gated: false, heads: 1, kv_heads: 1, head_dim: 4")
            .find("'encoder_layers'") != std::string::npos);
}

TEST_CASE("impossible shapes are refused by kind", "[workload]") {
  struct Case {
    const char* card;
    const char* part;
  };
  const Case c = GENERATE(
      Case{
          "kind: vision-cnn, block: convnext, depths: [1, 2], widths: [8], classes: 9, image_px: 8",
          "one number for each stage"},
      Case{"kind: vision-cnn, block: convnext, depths: [0], widths: [8], classes: 9, image_px: 8",
           "'depths' of 'm' is 0"},
      Case{"kind: diffusion-unet, hidden: 0, max_context: 77", "'hidden' of 'm' is 0"},
      Case{"kind: diffusion-dit, layers: 1, hidden: 8, ffn: 8, heads: 1, head_dim: 8, max_context: "
           "4, patch: 2",
           "'in_channels' of 'm' is 0"},
      Case{"kind: recsys, dense_features: 1, embed_dim: 4, table_rows: [9], lookups: [1, 1], "
           "bottom_mlp: [4], top_mlp: [1]",
           "'lookups' must have one number for each table"},
      Case{"kind: recsys, dense_features: 1, embed_dim: 4, table_rows: [9], lookups: [1], "
           "bottom_mlp: [5], top_mlp: [1]",
           "'bottom_mlp' must end with 'embed_dim'"},
      Case{"kind: recsys, dense_features: 1, embed_dim: 4, table_rows: [9], lookups: [1], "
           "bottom_mlp: [4], top_mlp: [1], cross_layers: 2",
           "'cross_rank' of 'm' is 0"},
      Case{
          "kind: enc-dec, layers: 4, encoder_layers: 1, decoder_layers: 1, hidden: 4, max_context: "
          "9, vocab: 5, tied_embeddings: true, ffn_gated: false, heads: 1, kv_heads: 1, head_dim: "
          "4",
          "must add up to 'layers'"},
      Case{"kind: ssm, layers: 2, hidden: 4, max_context: 9, vocab: 5, tied_embeddings: true, "
           "ssm_layers: 2",
           "recurrent layers need the 'rec_…' keys"},
      Case{"kind: diffusion-unet, hidden: 8, max_context: 77, forward: [{flops: 0, of: an image}]",
           "'flops' of a forward pass must be above 0"});
  INFO(c.card);
  const std::string faults = faults_of(c.card);
  INFO(faults);
  CHECK(faults.find("model/bad-shape") != std::string::npos);
  CHECK(faults.find(c.part) != std::string::npos);
}

TEST_CASE("a card is trusted as its weakest source unless it says otherwise", "[workload]") {
  const auto confidence = [](const std::string& more) {
    const Files files =
        memory_files({{"m.yaml",
                       "models: m\nsources:\n  a: {url: \"https://example.com/a\", confidence: "
                       "verified}\n  b: {url: "
                       "\"https://example.com/b\", confidence: recalled}\n"
                       "entries:\n  - {id: m, kind: diffusion-unet, source: [a, b], params: 9, "
                       "active_params: 9, hidden: 8, max_context: 7" +
                           more + "}\n"}});
    diag::Buffer faults;
    data::DataSet set = data::DataSet::open({{data::Root::Kind::path, "m.yaml"}}, files, faults);
    const ModelSet models = load_models(set, faults);
    REQUIRE(models.find_model("m") != nullptr);
    const ModelHead& head = head_of(*models.find_model("m"));
    CHECK(head.source == "https://example.com/a");
    return head.confidence;
  };
  CHECK(confidence("") == catalog::Confidence::recalled);
  CHECK(confidence(", confidence: derived") == catalog::Confidence::derived);
}
