#include "gpusel/data/codes.h"

namespace gpusel::data {
namespace {

constexpr diag::CodeInfo kCodes[] = {
    {"data/unreadable", diag::Severity::error, "a file or folder that cannot be read",
     diag::Meaning::unreadable},
    {"data/syntax", diag::Severity::error, "text that is no YAML or JSON",
     diag::Meaning::unreadable},
    {"data/encoding", diag::Severity::error, "a file that is not UTF-8", diag::Meaning::unreadable},
    {"data/empty", diag::Severity::error, "a file without content", diag::Meaning::unreadable},
    {"data/anchor", diag::Severity::error, "a YAML anchor", diag::Meaning::unreadable},
    {"data/alias", diag::Severity::error, "a YAML alias", diag::Meaning::unreadable},
    {"data/tag", diag::Severity::error, "a YAML tag", diag::Meaning::unreadable},
    {"data/merge-key", diag::Severity::error, "a YAML merge key", diag::Meaning::unreadable},
    {"data/second-document", diag::Severity::error, "a second YAML document in one file",
     diag::Meaning::unreadable},
    {"data/too-deep", diag::Severity::error, "nesting that is too deep", diag::Meaning::unreadable},
    {"data/bad-key", diag::Severity::error, "a key that is no plain text",
     diag::Meaning::unreadable},
    {"data/duplicate-key", diag::Severity::error, "a key or column that stands twice",
     diag::Meaning::unreadable},
    {"data/no-kind", diag::Severity::error, "a first key that does not say what the file is"},
    {"data/duplicate-file", diag::Severity::error,
     "two files of one root with the same kind and id"},
    {"data/wrong-kind", diag::Severity::error, "a list, map or value where something else belongs"},
    {"data/empty-value", diag::Severity::error, "a key without a value"},
    {"data/unknown-key", diag::Severity::error, "a key that the record does not have"},
    {"data/missing-key", diag::Severity::error, "a key that must be there and is not"},
    {"data/unknown-choice", diag::Severity::error, "a word that the field does not accept"},
    {"data/bad-id", diag::Severity::error, "a text that is no id"},
    {"data/bad-number", diag::Severity::error, "a text that is no number"},
    {"data/bad-boolean", diag::Severity::error, "a text that is neither true nor false"},
    {"data/bad-date", diag::Severity::error, "a text that is no day"},
    {"data/bad-quantity", diag::Severity::error, "a quantity without a unit, or with a wrong one"},
    {"data/too-long", diag::Severity::error, "a text that is too long"},
    {"data/row-length", diag::Severity::error, "a row with more or fewer cells than columns"},
    {"data/unknown-source", diag::Severity::error, "a record whose source the file does not have"},
};

}  // namespace

diag::CodeTable form_codes() { return {"form", kCodes}; }

}  // namespace gpusel::data
