#include "gpusel/data/file_shape.h"

namespace gpusel::data {
namespace {

// One line of a template: text and comment.
struct Line {
  std::string text;
  std::string comment;
};

bool needs_quotes(std::string_view value) {
  return value.find_first_of(":#{}[],&*?!|>%@`\"'") != std::string_view::npos;
}

std::string quoted_where_needed(std::string_view value) {
  return needs_quotes(value) ? "\"" + std::string(value) + "\"" : std::string(value);
}

std::string_view example_of(const ValueShape& shape) {
  if (shape.example == kNoExample) return {};
  if (!shape.example.empty()) return shape.example;
  if (shape.element != nullptr) return example_of(*shape.element);
  if (!shape.choices.empty()) return shape.choices.front();
  return {};
}

std::string flow_record(const std::vector<KeyShape>& keys) {
  std::string text;
  for (const KeyShape& key : keys) {
    const std::string_view example = example_of(key.shape);
    if (example.empty()) continue;
    text += (text.empty() ? "" : ", ") + std::string(key.key) + ": " + quoted_where_needed(example);
  }
  return "{" + text + "}";
}

std::string value_text(const ValueShape& shape) {
  if (shape.example == kNoExample) return {};
  if (shape.element != nullptr) {
    const std::string one =
        shape.example.empty() ? value_text(*shape.element) : std::string(example_of(shape));
    return one.empty() ? "" : "[" + one + "]";
  }
  if (shape.keys != nullptr) return flow_record(shape.keys());
  const std::string_view example = example_of(shape);
  // An example that is a list or map already is taken as written.
  if (example.starts_with('[') || example.starts_with('{')) return std::string(example);
  return quoted_where_needed(example);
}

std::string comment_of(const KeyShape& key) {
  std::string text(key.doc);
  if (!key.shape.choices.empty()) {
    text += ":";
    for (const std::string_view choice : key.shape.choices) text += " " + std::string(choice);
  }
  if (key.presence == Presence::optional) text += " (optional)";
  return text;
}

// A key without an example is shown as a comment: a made-up text would be read as a figure.
Line line_of(const KeyShape& key) {
  const std::string value = value_text(key.shape);
  if (value.empty()) return {"# " + std::string(key.key) + ":", comment_of(key)};
  return {std::string(key.key) + ": " + value, comment_of(key)};
}

void add_lines(const std::vector<KeyShape>& keys, std::string_view first, std::string_view indent,
               std::vector<Line>& lines) {
  bool fresh = true;
  for (const KeyShape& key : keys) {
    Line line = line_of(key);
    line.text.insert(0, fresh ? first : indent);
    fresh = false;
    lines.push_back(std::move(line));
  }
}

void add_table(const std::vector<KeyShape>& keys, std::vector<Line>& lines) {
  std::string columns;
  std::string cells;
  for (const KeyShape& key : keys) {
    const std::string value = value_text(key.shape);
    if (value.empty()) continue;
    columns += (columns.empty() ? "" : ", ") + std::string(key.key);
    cells += (cells.empty() ? "" : ", ") + value;
    lines.push_back({"  # " + std::string(key.key), comment_of(key)});
  }
  lines.push_back({"  columns: [" + columns + "]", {}});
  lines.push_back({"  rows:", {}});
  lines.push_back({"    - [" + cells + "]", {}});
}

void add_part(const FilePart& part, std::vector<Line>& lines) {
  const std::vector<KeyShape> keys = part.keys();
  lines.push_back({});
  lines.push_back({std::string(part.key) + ":", std::string(part.doc)});
  switch (part.form) {
    case FilePart::Form::table:
      add_table(keys, lines);
      break;
    case FilePart::Form::map:
      lines.push_back({"  price-page:", "a name of your own"});
      add_lines(keys, "    ", "    ", lines);
      break;
    case FilePart::Form::list:
      add_lines(keys, "  - ", "    ", lines);
      break;
  }
  if (!part.more.empty()) lines.push_back({std::string(part.more), {}});
}

std::string joined(const std::vector<Line>& lines) {
  constexpr std::size_t kCommentColumn = 46;
  std::string text;
  for (const Line& line : lines) {
    text += line.text;
    if (!line.comment.empty()) {
      const std::size_t used = line.text.size();
      text.append(used + 2 < kCommentColumn ? kCommentColumn - used : 2, ' ');
      text += "# " + line.comment;
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<std::string_view> other_keys(const FileShape& shape) {
  std::vector<std::string_view> keys{shape.kind};
  for (const FilePart& part : shape.parts) keys.push_back(part.key);
  return keys;
}

void check_keys(NodeRef root, const FileShape& shape, const Reader& reader) {
  std::vector<std::string> known;
  for (const std::string_view key : other_keys(shape)) known.emplace_back(key);
  if (shape.keys != nullptr) {
    for (const KeyShape& key : shape.keys()) known.emplace_back(key.key);
  }
  for (auto it = root.begin(); it != root.end(); ++it) {
    bool found = false;
    for (const std::string& key : known) found = found || key == it.key().text();
    if (!found) report_unknown_key(it.key(), known, reader);
  }
}

std::string template_text(const FileShape& shape) {
  std::vector<Line> lines;
  const std::string kind(shape.kind);
  lines.push_back({"# " + kind + ": " + std::string(shape.summary), {}});
  lines.push_back(
      {"# Check it with 'gpusel catalog check FILE', use it with '--catalog FILE'.", {}});
  lines.push_back({"# For editors: 'gpusel catalog schema " + kind + " --output " + kind +
                       ".schema.json', then",
                   {}});
  lines.push_back({"# yaml-language-server: $schema=" + kind + ".schema.json", {}});
  lines.push_back({kind + ": example", "the id of this file; it replaces a file of the same id"});
  if (shape.keys != nullptr) {
    std::vector<KeyShape> keys = shape.keys();
    std::erase_if(keys, [&](const KeyShape& key) { return key.key == shape.kind; });
    add_lines(keys, "", "", lines);
  }
  for (const FilePart& part : shape.parts) add_part(part, lines);
  return joined(lines);
}

}  // namespace gpusel::data
