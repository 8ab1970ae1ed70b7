// Quantity<Dim>: a number with a physical dimension. Products and quotients carry theirs; sums need
// equal ones.
//
//   const Seconds t = weights / memory_bandwidth;      // Bytes / BytesPerSecond
//   const Usd cost = price * hours(8);                 // UsdPerHour * Seconds
#pragma once

namespace gpusel::units {

/// Exponents of the base dimensions. `item` is the workload's unit of work: a token, an image, a
/// frame.
struct Dim {
  int byte = 0;
  int flop = 0;
  int second = 0;
  int usd = 0;
  int item = 0;
  int joule = 0;
  bool operator==(const Dim&) const = default;
};

constexpr Dim operator*(Dim a, Dim b) {
  return {a.byte + b.byte, a.flop + b.flop, a.second + b.second,
          a.usd + b.usd,   a.item + b.item, a.joule + b.joule};
}
constexpr Dim inverse(Dim d) { return {-d.byte, -d.flop, -d.second, -d.usd, -d.item, -d.joule}; }

/// Held in canonical units: bytes, floating-point operations, seconds, US dollars, items, joules.
template <Dim D>
class Quantity {
 public:
  static constexpr Dim kDim = D;
  constexpr Quantity() = default;
  constexpr explicit Quantity(double canonical) : value_(canonical) {}
  [[nodiscard]] constexpr double canonical() const { return value_; }

  friend constexpr bool operator==(Quantity, Quantity) = default;
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.value_ < b.value_; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return a.value_ > b.value_; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return a.value_ >= b.value_; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity{a.value_ + b.value_};
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity{a.value_ - b.value_};
  }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity{a.value_ * k}; }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity{k * a.value_}; }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity{a.value_ / k}; }
  constexpr Quantity& operator+=(Quantity b) {
    value_ += b.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity b) {
    value_ -= b.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double k) {
    value_ *= k;
    return *this;
  }

 private:
  double value_ = 0;
};

template <Dim A, Dim B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  if constexpr (A * B == Dim{}) {
    return a.canonical() * b.canonical();
  } else {
    return Quantity<A * B>{a.canonical() * b.canonical()};
  }
}

template <Dim A, Dim B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  if constexpr (A == B) {
    return a.canonical() / b.canonical();
  } else {
    return Quantity<A * inverse(B)>{a.canonical() / b.canonical()};
  }
}

template <Dim D>
constexpr auto operator/(double k, Quantity<D> a) {
  return Quantity<inverse(D)>{k / a.canonical()};
}

template <Dim D>
constexpr Quantity<D> max(Quantity<D> a, Quantity<D> b) {
  return a < b ? b : a;
}
template <Dim D>
constexpr Quantity<D> min(Quantity<D> a, Quantity<D> b) {
  return b < a ? b : a;
}

}  // namespace gpusel::units
