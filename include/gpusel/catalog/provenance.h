// Where a figure comes from, how old it is and how far it can be trusted.
#pragma once

#include "gpusel/base/date.h"
#include "gpusel/data/value_reader.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace gpusel::catalog {

/// How a figure was obtained, from best to worst.
enum class Confidence {
  verified,    // the stated source says so
  derived,     // computed from verified figures
  mixed,       // part of the record is verified, part is not
  secondary,   // a third party quotes it
  recalled,    // well known, the source was not read
  estimated,   // a planning value
  unverified,  // doubtful or contradicted
};

/// One source of a data file.
struct Citation {
  std::string url;
  std::optional<Date> date;  // when the figure held, else when it was published
  Confidence confidence = Confidence::verified;
  std::string note;
};

/// Of a record: index into Catalog::citations, and the place of the record.
struct Provenance {
  std::uint32_t citation = 0;
  std::uint32_t file = 0;  // index into Catalog::files
  std::uint32_t line = 0;
  std::uint32_t node = 0;  // of the file's document
};

/// Where a citation stands, and whether a record refers to it.
struct CitationPlace {
  std::string key;
  Provenance provenance;
  bool used = false;
};

/// A figure that a patch set: which, what it was, and where the patch stands.
struct PatchMark {
  std::string record;  // id of the offer, `provider/instance`, the provider or the GPU
  std::string field;
  std::string was;  // as written; empty where it was not set
  std::string now;
  std::string patch;  // id of the patch file
  std::string because;
  Provenance provenance;
};

}  // namespace gpusel::catalog

template <>
struct gpusel::data::EnumNames<gpusel::catalog::Confidence> {
  using C = gpusel::catalog::Confidence;
  static constexpr std::array<std::pair<std::string_view, C>, 7> kNames = {
      {{"verified", C::verified},
       {"derived", C::derived},
       {"mixed", C::mixed},
       {"secondary", C::secondary},
       {"recalled", C::recalled},
       {"estimated", C::estimated},
       {"unverified", C::unverified}}};
};
