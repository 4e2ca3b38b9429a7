//===- runtime/base/exit_gate.h - keeps threads out of libraries during exit ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_EXIT_GATE_H
#define SPECRT_RUNTIME_BASE_EXIT_GATE_H

#include <atomic>
#include <cstdint>

namespace specrt {

/// Protects libraries whose destructors run when the process exits (LLVM, TBB): the gate closes
/// before they run, and no thread is inside then. Any thread may use it.
class ExitGate {
public:
  /// Passes the gate for the life of this object. Announcing the visit before reading Closed, and
  /// close() doing these in the opposite order, makes at least one of both sides see the other.
  class Visit {
  public:
    explicit Visit(ExitGate &G) : Gate(G) {
      Gate.Inside.fetch_add(1, std::memory_order_seq_cst);
      Admitted = !Gate.isClosed();
    }
    ~Visit() { Gate.Inside.fetch_sub(1, std::memory_order_seq_cst); }
    Visit(const Visit &) = delete;
    Visit &operator=(const Visit &) = delete;

    bool admitted() const { return Admitted; }

  private:
    ExitGate &Gate;
    bool Admitted;
  };

  /// Takes a visitor outside for the life of this object. Afterwards the visitor must check
  /// isClosed().
  class Absence {
  public:
    explicit Absence(ExitGate &G) : Gate(G) { Gate.Inside.fetch_sub(1, std::memory_order_seq_cst); }
    ~Absence() { Gate.Inside.fetch_add(1, std::memory_order_seq_cst); }
    Absence(const Absence &) = delete;
    Absence &operator=(const Absence &) = delete;

  private:
    ExitGate &Gate;
  };

  /// Closes the gate for ever. Visitors may still be inside.
  void close() { Closed.store(true, std::memory_order_seq_cst); }
  bool isClosed() const { return Closed.load(std::memory_order_seq_cst); }
  bool isBusy() const { return Inside.load(std::memory_order_seq_cst) > 0; }
  /// Resets the count in a forked child, where the visitors do not exist.
  void forget() { Inside.store(0, std::memory_order_seq_cst); }

private:
  std::atomic<bool> Closed{false};
  std::atomic<uint32_t> Inside{0};
};

} // namespace specrt

#endif
