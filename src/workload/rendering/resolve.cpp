#include "job.h"

#include "gpusel/base/suggest.h"
#include "gpusel/data/option.h"
#include "gpusel/units/format.h"

namespace gpusel::workload::rendering {
namespace {

using units::Seconds;

constexpr double kDefaultHeadroom =
    0.05;  // the display, other programs, and what a longer shot adds
constexpr int kMostNodes = 4096;
constexpr double kMostFrames = 1e9;

class Resolver {
 public:
  Resolver(const data::OptionValues& values, const Context& context, diag::Sink& sink)
      : read_(values, faults_), context_(context), sink_(sink) {}

  std::optional<Job> run() {
    resolve_frames();
    resolve_frame_time();
    resolve_scene();
    resolve_nodes();
    job_.scores = load_scores(*context_.data, faults_);
    faults_.pass_on(sink_);
    if (faults_.has_errors()) return std::nullopt;
    return std::move(job_);
  }

 private:
  void number_field(std::string key, double number, std::string text, Field::Type type,
                    std::string_view option) {
    job_.fields.push_back({std::move(key), number, std::move(text), type, !read_.given(option)});
  }

  void resolve_frames() {
    const auto frames = read_.quantity<units::Count>("frames");
    if (!read_.given("frames")) {
      return read_.report("frames", {"how many frames are to be drawn?",
                                     "give --frames, such as --frames 1440", 0, 0});
    }
    if (!frames) return;
    if (frames->value < 1 || frames->value > kMostFrames) {
      read_.report("frames", {"must be at least one", "such as --frames 1440", 0, 0});
    }
    job_.frames = frames->value;
    number_field("frames", job_.frames, units::show_count(job_.frames), Field::Type::whole,
                 "frames");
  }

  void resolve_frame_time() {
    constexpr const char* kHelp =
        "draw one typical frame on a GPU at hand and give its time: --frame-time "
        "12min@nvidia-rtx-a6000-48gb";
    const std::optional<std::string> text = read_.text("frame-time");
    if (!text)
      return read_.report("frame-time",
                          {"how long does a frame take? nobody can guess it", kHelp, 0, 0});
    const std::size_t at = text->find('@');
    if (at == std::string::npos) {
      return read_.report("frame-time",
                          {"'" + *text + "' does not say on which GPU", kHelp, 0, text->size()});
    }
    const Result<Seconds> time = units::parse<Seconds>(text->substr(0, at));
    if (!time) return read_.report("frame-time", time.error());
    if (*time <= units::seconds(0))
      return read_.report("frame-time", {"must be positive", kHelp, 0, at});
    job_.frame = *time;
    number_field("frame_time_s", time->canonical(), units::show_duration(*time),
                 Field::Type::number, "frame-time");
    resolve_reference(text->substr(at + 1), at + 1);
    resolve_fixed();
  }

  void resolve_reference(const std::string& name, std::size_t offset) {
    const catalog::Catalog& catalog = *context_.catalog;
    const std::vector<std::uint32_t> found = catalog.gpus_named(name);
    if (found.empty()) {
      const std::string near = did_you_mean(name, catalog.gpu_names());
      return read_.report("frame-time",
                          {"no GPU '" + name + "'", near.empty() ? "see `gpusel gpus list`" : near,
                           offset, name.size()});
    }
    if (found.size() > 1) {
      std::vector<std::string> ids;
      for (const std::uint32_t i : found) ids.push_back(catalog.gpus[i].id.text());
      return read_.report("frame-time", {"'" + name + "' names several GPUs",
                                         "one of " + quoted_list(ids), offset, name.size()});
    }
    job_.reference = catalog.gpus[found[0]].id;
    job_.fields.push_back({"frame_gpu", 0, job_.reference.text(), Field::Type::text, false});
  }

  void resolve_fixed() {
    const auto fixed = read_.quantity<Seconds>("frame-fixed");
    job_.fixed = fixed.value_or(units::seconds(0));
    if (job_.fixed < units::seconds(0) || job_.fixed > job_.frame) {
      read_.report("frame-fixed", {"must lie between 0 and the time of the frame",
                                   "it is a part of --frame-time", 0, 0});
    }
    number_field("frame_fixed_s", job_.fixed.canonical(), units::show_duration(job_.fixed),
                 Field::Type::number, "frame-fixed");
    if (read_.given("frame-fixed")) return;
    job_.assumptions.push_back(
        {"frame_fixed",
         "the whole frame scales with the GPU (loading and BVH usually take 5 to 60 s of it)",
         "0 s", "default"});
  }

  void resolve_scene() {
    const auto scene = read_.quantity<units::Bytes>("scene-memory");
    if (!read_.given("scene-memory")) {
      return read_.report(
          "scene-memory",
          {"how much GPU memory does the scene take? nobody can guess it",
           "the renderer shows it while it draws; give the peak: --scene-memory 18GB", 0, 0});
    }
    if (scene) {
      job_.scene = *scene;
      job_.traits.scene_memory = *scene;
      number_field("scene_memory_bytes", scene->canonical(), units::show_gib(*scene),
                   Field::Type::whole, "scene-memory");
    }
    const auto share = read_.quantity<units::Ratio>("headroom");
    job_.headroom = share ? share->value : kDefaultHeadroom;
    if (job_.headroom < 0 || job_.headroom >= 1)
      read_.report("headroom", {"must be below 100 %", "such as 5%", 0, 0});
    number_field("headroom", job_.headroom, units::to_text(units::Ratio{job_.headroom}),
                 Field::Type::number, "headroom");
    if (!read_.given("headroom")) {
      job_.assumptions.push_back(
          {"headroom", "share of each GPU's memory kept free", "5 %", "default"});
    }
  }

  void resolve_nodes() {
    const std::optional<std::string> text = read_.text("nodes");
    if (text && *text != "auto") {
      job_.nodes = read_.whole("nodes", 1, kMostNodes);
      number_field("nodes", job_.nodes.value_or(0), *text, Field::Type::whole, "nodes");
    } else {
      job_.fields.push_back({"nodes", 0, "auto", Field::Type::text, true});
    }
    job_.max_nodes = read_.whole("max-nodes", 1, kMostNodes).value_or(job_.max_nodes);
    number_field("max_nodes", job_.max_nodes, std::to_string(job_.max_nodes), Field::Type::whole,
                 "max-nodes");
  }

  diag::Buffer faults_;
  data::OptionReader read_;
  const Context& context_;
  diag::Sink& sink_;
  Job job_;
};

}  // namespace

std::optional<Job> resolve(const data::OptionValues& values, const Context& context,
                           diag::Sink& sink) {
  return Resolver(values, context, sink).run();
}

}  // namespace gpusel::workload::rendering
