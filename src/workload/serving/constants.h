// The general constants of the serving model. Fitted together to about 2,500 published serving
// results (NVIDIA TensorRT-LLM performance overviews, MLPerf Inference 4.1 to 5.1, the silicon
// sweeps of ai-dynamo/aiconfigurator, argonne-lcf/LLM-Inference-Bench, FasterTransformer,
// ML.ENERGY, XiongjieDai/GPU-Benchmarks-on-LLM-Inference, Splitwise), starting from the kernel
// tables of ai-dynamo/aiconfigurator of 2026-08. The range behind each is the 90 % interval of the
// fit; docs/estimation-serving.md says what each one does.
#pragma once

#include "gpusel/units/units.h"

namespace gpusel::workload::serving {

// Shares of the memory bandwidth.
inline constexpr double kWeightReadHbm = 0.757;   // 0.718 to 0.799; kernels alone 0.81 to 0.84
inline constexpr double kWeightReadGddr = 0.954;  // 0.895 to 1.02
inline constexpr double kWeightReadHbmBlackwell = 0.88;  // 0.815 to 0.95, relative to Hopper
inline constexpr double kWeightReadFp4 = 0.777;  // 0.671 to 0.899, relative to 8-bit weights
inline constexpr double kKvRead = 0.843;         // 0.778 to 0.913

// Shares of the dense peak in large matrix products.
inline constexpr double kCompute16 = 0.739;         // 0.689 to 0.793
inline constexpr double kCompute8 = 0.571;          // 0.531 to 0.614
inline constexpr double kCompute4 = 0.452;          // 0.392 to 0.521
inline constexpr double kComputeGddr = 1.02;        // 0.905 to 1.15, relative to HBM cards
inline constexpr double kComputeGddrFp4 = 1.51;     // 1.15 to 1.98, the same for fp4
inline constexpr double kComputeWeightOnly = 0.47;  // 0.403 to 0.548, relative to 16-bit kernels
inline constexpr double kComputeAmd = 1.27;  // 0.971 to 1.66, relative to NVIDIA; hardly identified
inline constexpr double kPromptAttention = 0.462;  // 0.342 to 0.625, of the 16-bit peak
inline constexpr double kLatentAttention =
    0.399;  // 0.254 to 0.626, of the 16-bit peak, while decoding

/// Memory and compute time join as (x^q + y^q)^(1/q): 1 is their sum, infinity their maximum. 1.08
/// to 1.47.
inline constexpr double kJoin = 1.26;

// Fixed times.
inline constexpr units::Seconds kStepHost{406e-6};    // per step; 248 to 665 us
inline constexpr units::Seconds kLayerLaunch{23e-6};  // per layer; 15.8 to 33.6 us
inline constexpr units::Seconds kSequenceHost{
    50.6e-6};  // per running sequence and step; 43.4 to 59 us
inline constexpr units::Seconds kRequestHost{19e-3};    // before the first token; 13.7 to 26.4 ms
inline constexpr units::Seconds kExpertLayer{33.4e-6};  // per layer of experts; 24.2 to 46.1 us
inline constexpr double kExpertLayerHbmBlackwell = 0.506;  // 0.338 to 0.757, fused kernels

// Mixtures of experts.
inline constexpr double kGroupedProduct = 0.73;   // 0.648 to 0.822, grouped against plain products
inline constexpr double kExpertImbalance = 2.81;  // 2.31 to 3.41, experts spread over GPUs
inline constexpr double kRoutingBytesPerValue =
    8;  // permutation there and back, 16 bit, read and written

// Communication.
inline constexpr units::Seconds kSwitchLatency{6.62e-6};  // small all-reduce; 4.55 to 9.63 us
inline constexpr double kSwitchLatencyGrowth = 0.531;     // per doubling of GPUs; 0.282 to 1
inline constexpr units::Seconds kTwoShotStart{26.1e-6};   // 13.5 to 50.3 us
inline constexpr double kOneShotShare = 0.695;      // of the one-way link rate; 0.496 to 0.973
inline constexpr double kTwoShotShare = 0.58;       // 0.489 to 0.688
inline constexpr double kInSwitchReduction = 1.15;  // from 8 GPUs on, Hopper and newer; set by hand
inline constexpr units::Seconds kPcieLatency{14.3e-6};  // per peer; 8.55 to 23.9 us
inline constexpr double kPcieShare = 0.586;             // of 32 GB/s at generation 4; 0.51 to 0.673
inline constexpr units::BytesPerSecond kPcie4Rate{32e9};  // 16 lanes of generation 4, one direction
inline constexpr units::BytesPerSecond kLeastSwitchLink{
    64e9};                                         // both directions, where a link is not stated
inline constexpr double kPipelineBubble = 0.0671;  // per further stage; 0.0338 to 0.133
/// One hop between nodes where the fabric states none: about what RDMA with GPU memory takes.
inline constexpr units::Seconds kNetworkHop{20e-6};
/// Share of the nominal network rate that a point-to-point copy reaches where the fabric states
/// none.
inline constexpr double kNetworkShare = 0.7;

// Scheduling.
inline constexpr double kBurst =
    0.0684;  // share of the other prompts that arrive with mine; 0.052 to 0.09
inline constexpr double kLayerSplitOverlap =
    0.6;  // of prompt chunks over the GPUs of llama.cpp; set by hand
inline constexpr double kMostPerRank = 2048;  // sequences per attention rank; set by hand
/// The mean must stay this factor below a limit on the tail (MLPerf server limits; 0.943 to 1.53).
inline constexpr double kTail = 1.2;
/// Share of its saturated rate that a replica keeps free for bursts: common practice, 0.2 to 0.3.
inline constexpr double kLoadHeadroom = 0.2;
inline constexpr double kTailShare = 0.05;  // the 95th percentile

// Memory.
inline constexpr double kActivationHidden =
    13.4;  // units of 2 bytes x tokens x hidden; 9.03 to 19.9
inline constexpr double kActivationFfn =
    1.63;  // units of 2 bytes x tokens x ffn / tp; 0.741 to 3.59
inline constexpr double kMostActivationTokens = 8192;
inline constexpr units::Bytes kContext{
    1.25e9};  // context, graphs, workspace, fragmentation; 0.76 to 2.06 GB

}  // namespace gpusel::workload::serving
