// Text and random numbers → which tokens meet in which window. The twin of native/training/plan.cpp.
//
// The text of a launch is planned at once, by a thread for each token, range or negative. Its ranges
// are listed one after the other. Where one is cut out of a sentence, tokens of that sentence beyond
// its ends are listed with it, as contexts only. Sums (cupy.cumsum) come between the kernels.

constexpr uint32 kKeepDraw = 0, kWidthDraw = 1, kFirstNegativeDraw = 2;
constexpr uint32 kDraws = kFirstNegativeDraw + NEGATIVES;

// Listed tokens are told by their place in the list, and by their position in the corpus, on which
// depends what is drawn for them.
struct TextRange {
    int64 start;                          // place of its first token; it ends where the next starts
    int64 first_centre, last_centre;      // places; tokens before and after are contexts only
    int64 position;                       // of its first token
    int64 first_id;                       // index in Text.ids of its first token
    int64 first_sentence, last_sentence;  // indices in Text.sentence_offsets
};

struct Text {
    const int* ids;
    const int64* sentence_offsets;  // positions
    const TextRange* ranges;        // [range_count + 1]; of the last only `start` counts
    int range_count, tokens;        // listed
    uint64 key;                     // of the epoch
};

struct AliasTable {
    const uint32* thresholds;  // [size]
    const int* others;         // [size]
    uint32 size;

    __device__ int drawn(uint64 bits) const {
        const uint32 index = random_index(bits, size);
        return static_cast<uint32>(bits) < thresholds[index] ? index : others[index];
    }
};

struct Sampling {
    const float* keep_probability;  // [words]
    AliasTable negatives;           // over words and numerals
    AliasTable numeral_negatives;   // over numerals
    int words;
    int numerals_per_draw;  // of the negatives, if a numeral is among the centres
};

// A draw of negatives serves some neighbouring centres of a range.
struct Centres {
    int first, last;  // the one after the last
};

struct Plan {
    int* ids;            // [kept]
    int* first_context;  // [kept]
    int* last_context;   // [kept]
    Centres* draws;      // [draws]
    int64* positions;    // [draws] of the first centre in the corpus
    int* negatives;      // [draws, NEGATIVES]
    const int* draws_before;  // [range_count + 1]
};

struct Places {
    int first, last;  // the one after the last
};

__device__ inline int64 thread_number() {
    return static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// The last index in [low, high) whose start is not above a value. Starts ascend.
template <class Start>
__device__ inline int64 last_not_above(int64 value, int64 low, int64 high, Start start) {
    while (low + 1 < high) {
        const int64 middle = (low + high) / 2;
        if (start(middle) <= value) low = middle;
        else high = middle;
    }
    return low;
}

__device__ inline const TextRange* range_of(const Text& text, int place) {
    return text.ranges + last_not_above(place, 0, text.range_count,
                                        [&](int64 at) { return text.ranges[at].start; });
}

__device__ inline int64 position_of(const TextRange& range, int place) {
    return range.position + (place - range.start);
}

// The listed tokens of the sentence around a place.
__device__ inline Places sentence_of(const Text& text, const TextRange* range, int place) {
    const int64* offsets = text.sentence_offsets;
    const int64 sentence =
        last_not_above(position_of(*range, place), range->first_sentence, range->last_sentence,
                       [&](int64 at) { return offsets[at]; });
    const int64 shift = range->start - range->position;
    return {static_cast<int>(max(offsets[sentence] + shift, range->start)),
            static_cast<int>(min(offsets[sentence + 1] + shift, range[1].start))};
}

extern "C" __global__ void mark_kept(const Text text, const Sampling sampling,
                                     int* is_kept) {  // out [tokens]
    const int64 place = thread_number();
    if (place >= text.tokens) return;
    const TextRange& range = *range_of(text, place);
    const int id = text.ids[range.first_id + (place - range.start)];
    const uint64 counter = static_cast<uint64>(position_of(range, place)) * kDraws + kKeepDraw;
    is_kept[place] = id >= sampling.words || random_fraction(random_bits(text.key, counter)) <
                                                 sampling.keep_probability[id];
}

// A token alone has nothing to learn from.
extern "C" __global__ void drop_lonely(const Text text,
                                       const int* kept_before,  // in [tokens + 1]
                                       int* is_kept) {          // inout [tokens]
    const int64 place = thread_number();
    if (place >= text.tokens || !is_kept[place]) return;
    const Places sentence = sentence_of(text, range_of(text, place), place);
    if (kept_before[sentence.last] - kept_before[sentence.first] == 1) is_kept[place] = 0;
}

extern "C" __global__ void count_draws(const Text text,
                                       const int* kept_before,  // in [tokens + 1]
                                       int* draws) {            // out [range_count]
    const int64 number = thread_number();
    if (number >= text.range_count) return;
    const TextRange& range = text.ranges[number];
    const int centres = kept_before[range.last_centre] - kept_before[range.first_centre];
    draws[number] = (centres + CENTRES_PER_DRAW - 1) / CENTRES_PER_DRAW;
}

extern "C" __global__ void plan_windows(const Text text,
                                        const int* kept_before,  // in [tokens + 1]
                                        const Plan plan) {       // out, but for negatives
    const int64 thread = thread_number();
    if (thread >= text.tokens) return;
    const int place = static_cast<int>(thread), at = kept_before[place];
    if (kept_before[place + 1] == at) return;
    const TextRange* range = range_of(text, place);
    const int64 position = position_of(*range, place);
    const uint64 counter = static_cast<uint64>(position) * kDraws + kWidthDraw;
    const int width = 1 + random_index(random_bits(text.key, counter), WINDOW);
    const Places sentence = sentence_of(text, range, place);
    plan.ids[at] = text.ids[range->first_id + (place - range->start)];
    plan.first_context[at] = max(kept_before[sentence.first], at - width);
    plan.last_context[at] = min(kept_before[sentence.last], at + width + 1);
    if (place < range->first_centre || place >= range->last_centre) return;
    const int centre = at - kept_before[range->first_centre];
    if (centre % CENTRES_PER_DRAW) return;
    const int draw = plan.draws_before[range - text.ranges] + centre / CENTRES_PER_DRAW;
    plan.draws[draw] = {at, min(at + CENTRES_PER_DRAW, kept_before[range->last_centre])};
    plan.positions[draw] = position;
}

extern "C" __global__ void draw_negatives(const Text text, const Sampling sampling,
                                          const Plan plan) {  // inout
    const int64 thread = thread_number(), draw = thread / NEGATIVES;
    if (draw >= plan.draws_before[text.range_count]) return;
    const int k = thread % NEGATIVES;
    bool has_numeral = false;
    if (k < sampling.numerals_per_draw)
        for (int centre = plan.draws[draw].first; centre < plan.draws[draw].last; ++centre)
            has_numeral |= plan.ids[centre] >= sampling.words;
    const uint64 counter =
        static_cast<uint64>(plan.positions[draw]) * kDraws + kFirstNegativeDraw + k;
    const uint64 bits = random_bits(text.key, counter);
    plan.negatives[thread] = has_numeral ? sampling.words + sampling.numeral_negatives.drawn(bits)
                                         : sampling.negatives.drawn(bits);
}
