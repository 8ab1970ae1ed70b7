// The `sources` of a data file: how they are read, and their part of a file's shape.
#pragma once

#include "gpusel/catalog/provenance.h"
#include "gpusel/data/file_shape.h"

namespace gpusel::catalog {

inline constexpr data::Field<Citation> kCitationFields[] = {
    data::field<&Citation::url>("url", "public address of the source",
                                "https://example.com/pricing"),
    data::field<&Citation::date>("date", "day on which the figures held, else of publication"),
    data::field<&Citation::confidence>("confidence", "how the figures were obtained"),
    data::optional_field<&Citation::note>("note", "what a reader needs to know")};

inline constexpr data::FilePart kSourcesPart{
    "sources", "where the figures come from, by a short name", data::FilePart::Form::map,
    &data::key_shapes<kCitationFields>};

}  // namespace gpusel::catalog
