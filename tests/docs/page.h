// A page of Markdown and its ```console blocks: `$ command` lines, each followed by what it prints.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gpusel::test {

struct Example {
  std::size_t line = 0;  // of the command, from 1
  std::string command;
  std::vector<std::string> expected;  // a line `…` stands for any lines
};

struct Page {
  std::string path;
  std::vector<std::string> lines;
  std::vector<Example> examples;
};
Page read_page(const std::string& path);

/// Whether the lines are as expected.
bool fits(const std::vector<std::string>& expected, const std::vector<std::string>& actual);
/// The expected lines with the parts that are shown taken from the actual ones: a part begins at
/// the line that shares its first word, and keeps its length. Parts that are not found stay as they
/// are.
std::vector<std::string> renewed(const std::vector<std::string>& expected,
                                 const std::vector<std::string>& actual);

/// The page with the expected lines of its examples replaced.
std::string rewritten(const Page& page, const std::vector<Example>& examples);

}  // namespace gpusel::test
