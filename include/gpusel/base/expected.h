// Expected<T, E>: a T or an E, with monadic calls. Result<T> carries a short Error about a text.
//
//   Result<Date> day = Date::parse("2026-11-20");
//   if (!day) return day.error();
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace gpusel {

/// Marks a value as the error alternative: `return Unexpected(Error{...})`.
template <class E>
struct Unexpected {
  E error;
  explicit Unexpected(E e) : error(std::move(e)) {}
};

template <class T, class E>
class [[nodiscard]] Expected {
 public:
  using value_type = T;
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(*-explicit-*)
  Expected(E error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(*-explicit-*)
  Expected(Unexpected<E> u)                                                // NOLINT(*-explicit-*)
      : state_(std::in_place_index<1>, std::move(u.error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  [[nodiscard]] const E& error() const { return std::get<1>(state_); }

  /// f(T) -> U gives Expected<U, E>.
  template <class F>
  auto transform(F&& f) const -> Expected<std::invoke_result_t<F, const T&>, E> {
    if (has_value()) return std::forward<F>(f)(value());
    return Unexpected<E>(error());
  }
  /// f(T) -> Expected<U, E> gives Expected<U, E>.
  template <class F>
  auto and_then(F&& f) const -> std::invoke_result_t<F, const T&> {
    if (has_value()) return std::forward<F>(f)(value());
    return Unexpected<E>(error());
  }
  [[nodiscard]] T value_or(T other) const { return has_value() ? value() : std::move(other); }

 private:
  std::variant<T, E> state_;
};

/// What is wrong with a text that was parsed: message, help and the part at fault (0-based bytes).
struct Error {
  std::string message;
  std::string help;
  std::size_t offset = 0;
  std::size_t length = 0;
};

template <class T>
using Result = Expected<T, Error>;

}  // namespace gpusel
