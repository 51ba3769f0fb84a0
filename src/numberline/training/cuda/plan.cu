// Text and random numbers → which tokens meet in which window. The twin of native/training/plan.cpp.
//
// The text of a launch is planned at once, by a thread for each token, block or negative. Its blocks
// are listed one after the other. Where a block cuts a sentence, tokens of that sentence beyond the
// cut are listed with it, as contexts only. Sums (cupy.cumsum) come between the kernels.
//
// `at` is the index of a token in this list; `token` is its index in the corpus, which decides what is
// drawn for it; `kept` is its index among the kept tokens.

constexpr uint32 kKeepDraw = 0, kWidthDraw = 1, kFirstNegativeDraw = 2;
constexpr uint32 kDraws = kFirstNegativeDraw + NEGATIVES;

struct Block {
    int64 start;                          // `at` of its first token; it ends where the next starts
    int64 first_centre, last_centre;      // `at`; tokens before and after are contexts only
    int64 first_token;                    // in the corpus
    int64 first_id;                       // index of its first token in Text.ids
    int64 first_sentence, last_sentence;  // indices in Text.sentence_offsets
};

struct Text {
    const int* ids;
    const int64* sentence_offsets;  // tokens of the corpus
    const Block* blocks;            // [block_count + 1]; only `start` of the last is used
    int block_count, tokens;        // listed
    uint64 key;                     // of the epoch
};

struct AliasTable {
    const uint32* thresholds;  // [size]
    const int* others;         // [size]
    int size;

    __device__ int drawn(uint64 bits) const {
        const uint32 index = random_index(bits, size);
        return static_cast<uint32>(bits) < thresholds[index] ? index : others[index];
    }
};

struct Sampling {
    const float* keep_probability;  // [words]
    AliasTable negatives;           // over words and numerals
    AliasTable numeral_negatives;   // over numerals
    int window, negatives_per_group;  // constants here: WINDOW and NEGATIVES
    int numerals_per_group;           // of the negatives, if one of the centres is a numeral
    int words;                        // ids below are words
};

struct Span {
    int first, last;  // last is the one after its end
};

// Filled by the kernels below, one after the other; the rest of an array is not used.
struct Plan {
    int* is_kept;        // [tokens] 0 or 1
    int* kept_before;    // [tokens + 1] sums of is_kept
    int* group_counts;   // [blocks]
    int* groups_before;  // [blocks + 1] sums of group_counts
    int* ids;            // [kept]
    int* first_context;  // [kept]
    int* last_context;   // [kept]
    Span* groups;        // [groups] centres
    int64* first_tokens;  // [groups] the first centre, in the corpus
    int* negatives;      // [groups, NEGATIVES]
    int block_count;
};

__device__ inline int64 thread_number() {
    return static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Return the last index in [low, high) whose start is not above a value; starts ascend.
template <class Start>
__device__ inline int64 last_not_above(int64 value, int64 low, int64 high, Start start) {
    while (low + 1 < high) {
        const int64 middle = (low + high) / 2;
        if (start(middle) <= value) low = middle;
        else high = middle;
    }
    return low;
}

__device__ inline const Block* block_of(const Text& text, int at) {
    return text.blocks + last_not_above(at, 0, text.block_count,
                                        [&](int64 block) { return text.blocks[block].start; });
}

__device__ inline int64 token_of(const Block& block, int at) {
    return block.first_token + (at - block.start);
}

__device__ inline int id_of(const Text& text, const Block& block, int at) {
    return text.ids[block.first_id + (at - block.start)];
}

// Return the listed tokens of the sentence of a token.
__device__ inline Span sentence_of(const Text& text, const Block* block, int at) {
    const int64* offsets = text.sentence_offsets;
    const int64 sentence =
        last_not_above(token_of(*block, at), block->first_sentence, block->last_sentence,
                       [&](int64 number) { return offsets[number]; });
    const int64 shift = block->start - block->first_token;
    return {static_cast<int>(max(offsets[sentence] + shift, block->start)),
            static_cast<int>(min(offsets[sentence + 1] + shift, block[1].start))};
}

extern "C" __global__ void mark_kept(const Text text, const Sampling sampling, const Plan plan) {
    const int64 at = thread_number();
    if (at >= text.tokens) return;
    const Block& block = *block_of(text, at);
    const int id = id_of(text, block, at);
    const uint64 counter = static_cast<uint64>(token_of(block, at)) * kDraws + kKeepDraw;
    plan.is_kept[at] = id >= sampling.words || random_fraction(random_bits(text.key, counter)) <
                                                   sampling.keep_probability[id];
}

// Drop a token alone, which has nothing to learn from. The sums are computed again afterwards.
extern "C" __global__ void drop_lonely(const Text text, const Plan plan) {
    const int64 at = thread_number();
    if (at >= text.tokens || !plan.is_kept[at]) return;
    const Span sentence = sentence_of(text, block_of(text, at), at);
    if (plan.kept_before[sentence.last] - plan.kept_before[sentence.first] == 1)
        plan.is_kept[at] = 0;
}

extern "C" __global__ void count_groups(const Text text, const Plan plan) {
    const int64 number = thread_number();
    if (number >= text.block_count) return;
    const Block& block = text.blocks[number];
    const int centres = plan.kept_before[block.last_centre] - plan.kept_before[block.first_centre];
    plan.group_counts[number] = (centres + CENTRES_PER_GROUP - 1) / CENTRES_PER_GROUP;
}

extern "C" __global__ void plan_windows(const Text text, const Plan plan) {
    const int64 thread = thread_number();
    if (thread >= text.tokens || !plan.is_kept[thread]) return;
    const int at = static_cast<int>(thread), kept = plan.kept_before[at];
    const Block* block = block_of(text, at);
    const int64 token = token_of(*block, at);
    const uint64 counter = static_cast<uint64>(token) * kDraws + kWidthDraw;
    const int width = 1 + random_index(random_bits(text.key, counter), WINDOW);
    const Span sentence = sentence_of(text, block, at);
    plan.ids[kept] = id_of(text, *block, at);
    plan.first_context[kept] = max(plan.kept_before[sentence.first], kept - width);
    plan.last_context[kept] = min(plan.kept_before[sentence.last], kept + width + 1);
    if (at < block->first_centre || at >= block->last_centre) return;
    const int centre = kept - plan.kept_before[block->first_centre];
    if (centre % CENTRES_PER_GROUP) return;
    const int group = plan.groups_before[block - text.blocks] + centre / CENTRES_PER_GROUP;
    plan.groups[group] = {kept,
                          min(kept + CENTRES_PER_GROUP, plan.kept_before[block->last_centre])};
    plan.first_tokens[group] = token;
}

extern "C" __global__ void draw_negatives(const Text text, const Sampling sampling,
                                          const Plan plan) {
    const int64 thread = thread_number(), group = thread / NEGATIVES;
    if (group >= plan.groups_before[plan.block_count]) return;
    const int k = thread % NEGATIVES;
    bool has_numeral = false;
    if (k < sampling.numerals_per_group)
        for (int centre = plan.groups[group].first; centre < plan.groups[group].last; ++centre)
            has_numeral |= plan.ids[centre] >= sampling.words;
    const uint64 counter =
        static_cast<uint64>(plan.first_tokens[group]) * kDraws + kFirstNegativeDraw + k;
    const uint64 bits = random_bits(text.key, counter);
    plan.negatives[thread] = has_numeral ? sampling.words + sampling.numeral_negatives.drawn(bits)
                                         : sampling.negatives.drawn(bits);
}
