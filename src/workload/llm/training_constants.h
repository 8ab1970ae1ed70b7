// Constants of the training model, fitted to 789 published runs of 2020 to 2026 (soft-L1 on the
// logarithm, priors from physics); docs/estimation.md states source, valid range and error of each.
// What belongs to a GPU class stands in data/curves, what belongs to a framework in
// data/frameworks.
#pragma once

namespace gpusel::workload::llm {

// --- time ---
// Matrix products of unfused attention run 1.25 times as fast as the curve of large products says.
inline constexpr double kUnfusedProducts = 1.25;
// Softmax traffic relative to 12 bytes per score (scores read and written, 2023-and-before
// kernels).
inline constexpr double kSoftmaxTraffic = 1.502;
inline constexpr double kSoftmaxBytes = 12;
// Rows of heads that are not whole 16-byte groups leave the tensor cores (BLOOM candidates with
// head dim 150, 108).
inline constexpr double kMisalignedHeads = 14;
// FlashAttention-2 (arXiv 2307.08691): the backward pass costs 2.5 forwards.
inline constexpr double kFusedBackward = 2.5;
inline constexpr double kUnfusedBackward = 2;
// Without a mask no tile is half empty: fused kernels reach at s what causal ones reach at 4 s
// (fitted to MLPerf BERT on A100, H100, H200 and B200).
inline constexpr double kUnmaskedLength = 4;
// Element-wise traffic relative to the byte count.
inline constexpr double kElementwiseTraffic = 1.355;
// Passes of element-wise work over a forward and backward, in forwards.
inline constexpr double kElementwisePasses = 2.5;
// Token permutation of a mixture of experts: bytes per routed value, six 2-byte passes.
inline constexpr double kPermutationBytes = 12;
// Extra shape loss of grouped expert products, elements.
inline constexpr double kGroupedPenalty = 100;
// Cross-entropy traffic: bytes per logit and its factor.
inline constexpr double kLossBytes = 16;
inline constexpr double kLossTraffic = 2.5;
// Optimizer step: share of the memory bandwidth.
inline constexpr double kOptimizerShare = 0.8;
// Exposed shares of exchanges.
inline constexpr double kGradientsOverlapped = 0.2981;
inline constexpr double kPipelineTransfersExposed = 0.4852;
inline constexpr double kContextExposed = 0.15;
inline constexpr double kHideable = 0.9;  // share of compute that can hide traffic
inline constexpr double kRingContextShare = 0.7;
inline constexpr double kFarContextShare = 0.8;
// Expert all-to-all: start, share of the link, factor on the network part (it reaches about 0.7 of
// the nominal rate).
inline constexpr double kAllToAllLatency = 20e-6;  // s
inline constexpr double kAllToAllLinkShare = 0.65;
inline constexpr double kAllToAllNetwork = 1.346;
// Point-to-point: start and share of the link.
inline constexpr double kTransferLatency = 10e-6;  // s
inline constexpr double kTransferShare = 0.7;
// Host launches: seconds per layer and micro-batch, eager PyTorch, forward and backward.
inline constexpr double kHostSeconds = 2.425e-3;
inline constexpr double kHostMoeFactor = 3.5;
inline constexpr double kHostPerTensorRank = 0.05;
// 4-bit weights become 16-bit ones before each product: seconds per parameter (bitsandbytes NF4) at
// this memory bandwidth, and the share that shows.
inline constexpr double kDequantSeconds = 8e-12;
inline constexpr double kGptqSeconds = 15e-12;       // GPTQ kernels (Qwen's fine-tuning profile)
inline constexpr double kDequantBandwidth = 2.0e12;  // bytes/s
inline constexpr double kDequantShare = 0.623;
// Samples that are not packed are padded to the longest of their micro-batch: growth of the mean
// length per doubling of the micro-batch (PEFT and LitGPT runs on instruction data).
inline constexpr double kPaddingPerDoubling = 0.3;
// Offload: bytes/s at which a host updates weights, 0.7 of two sockets with eight channels of
// DDR4-3200 each; its memory with the buffers of copies (DeepSpeed's estimator counts 1.5).
inline constexpr double kHostUpdateRate = 0.7 * 409.6e9;
inline constexpr double kHostBuffers = 1.5;
inline constexpr double kStepOverhead = 2e-3;  // s
// Stragglers: growth of the step per doubling above eight GPUs.
inline constexpr double kJitterPerDoubling = 0.00777;
inline constexpr double kJitterFree = 8;
// Young software on a new GPU: dense surcharge at launch and its decay; mixtures of experts per
// year before mid-2026.
inline constexpr double kMaturityAtLaunch = 0.1507;
inline constexpr double kMaturityYears = 0.6;
inline constexpr double kMoeMaturityPerYear = 0.1764;
inline constexpr double kMoeMatureYear = 2026.6;
inline constexpr double kMoeMaturityCap = 1.5;  // years

// --- memory ---
inline constexpr double kFragmentation = 0.03;
inline constexpr double kContextBytes = 1.601e9;       // CUDA context and libraries
inline constexpr double kCommunicatorBytes = 1.382e9;  // where GPUs exchange
inline constexpr double kGatheredUnits =
    0.6007;  // live ZeRO-3 units relative to two layers and the tables
// NF4 with its scales, double quantisation; one matrix in 16 bits while it is used, with its input.
inline constexpr double kFourBitGathered = 0.55;  // per parameter that ZeRO-3 gathers
inline constexpr double kFourBitUnit = 0.6;       // of a gathered unit
inline constexpr double kLoadedBytes = 2;         // per parameter of a checkpoint in 16 bits
inline constexpr double kLoadBuffers = 0.8e9;     // while it is read
inline constexpr double kScratchBytes = 4;        // per value of the widest matrix
// Adapters are fp32, like their gradients (PEFT under autocast).
inline constexpr double kAdapterBytes = 4;
inline constexpr double kFullMoment = 4;  // bytes: a moment of the optimizer in fp32
inline constexpr double kAdam8bitStates =
    2.03;  // int8 moments, one fp32 scale per 256 values (bitsandbytes)
inline constexpr double kAdafactorStates =
    0.02;  // rows and columns of the second moment (arXiv 1804.04235)

}  // namespace gpusel::workload::llm
