// Differences between two texts, line by line, and the files that hold expected texts.
//
//   if (expected != actual) std::cout << diff(expected, actual);
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpusel::test {

/// The lines of a text; a last line without a line feed counts as a line.
std::vector<std::string> lines_of(std::string_view text);

/// Lines that differ between two texts, `-` expected and `+` actual, with two lines around each
/// group.
std::string diff(std::string_view expected, std::string_view actual);

/// The whole text of a file; ends the program with a message when it cannot be read.
std::string read_whole(const std::string& path);
void write_whole(const std::string& path, std::string_view text);

/// Splits a command line at blanks as a shell does, with ' and " for quoting.
std::vector<std::string> shell_words(std::string_view text);

/// Whether expected texts are to be rewritten: GPUSEL_UPDATE_GOLDEN=1.
bool updating();

}  // namespace gpusel::test
