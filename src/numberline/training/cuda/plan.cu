// Text and random numbers → which rows meet in which window. The twin of native/window_plan.cpp.
//
// A stretch of text is planned at once, by a thread for each token, segment or draw. Segments are
// sentences, cut where blocks end. Sums over the stretch (cupy.cumsum) come between the kernels.

constexpr uint32 kKeepDraw = 0, kWidthDraw = 1, kFirstNegativeDraw = 2;
constexpr uint32 kDraws = kFirstNegativeDraw + NEGATIVES;

__device__ inline int64 thread_number() {
    return static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// The last of `bounds` that is not above a place.
__device__ inline int part_of(const int* bounds, int parts, int place) {
    int low = 0, high = parts - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (bounds[middle] <= place) low = middle;
        else high = middle - 1;
    }
    return low;
}

// Where each token of the stretch stands in the corpus: what is drawn for it depends on that.
extern "C" __global__ void find_places(const int* block_bounds,    // in [blocks + 1] in the stretch
                                       const int64* first_tokens,  // in [blocks] in the corpus
                                       int blocks, int tokens,
                                       int64* places) {            // out [tokens]
    const int64 at = thread_number();
    if (at >= tokens) return;
    const int block = part_of(block_bounds, blocks, static_cast<int>(at));
    places[at] = first_tokens[block] + at - block_bounds[block];
}

extern "C" __global__ void mark_kept(const int* ids,           // in [tokens]
                                     const int64* places,      // in [tokens] in the corpus
                                     int tokens, uint64 key,
                                     const float* keep_share,  // in [words]
                                     int words,
                                     int* is_kept) {           // out [tokens]
    const int64 at = thread_number();
    if (at >= tokens) return;
    const int id = ids[at];
    const uint64 counter = static_cast<uint64>(places[at]) * kDraws + kKeepDraw;
    is_kept[at] = id >= words || random_share(random_bits(key, counter)) < keep_share[id];
}

// A token alone has nothing to learn from.
extern "C" __global__ void drop_lonely(const int* segment_bounds,  // in [segments + 1]
                                       int segments,
                                       const int* kept_before,     // in [tokens + 1]
                                       int* is_kept) {             // inout [tokens]
    const int64 segment = thread_number();
    if (segment >= segments) return;
    const int first = segment_bounds[segment], last = segment_bounds[segment + 1];
    if (kept_before[last] - kept_before[first] != 1) return;
    for (int at = first; at < last; ++at) is_kept[at] = 0;
}

// A draw of negatives serves some neighbouring centres of a block.
extern "C" __global__ void plan_windows(const int* ids,             // in [tokens]
                                        const int64* places,        // in [tokens] in the corpus
                                        const int* kept_before,     // in [tokens + 1]
                                        const int* segment_bounds,  // in [segments + 1]
                                        const int* block_bounds,    // in [blocks + 1]
                                        const int* draws_before,    // in [blocks + 1]
                                        int tokens, int segments, int blocks, uint64 key,
                                        int* token_ids,             // out [kept]
                                        int* first_context,         // out [kept]
                                        int* last_context,          // out [kept]
                                        int* first_centre,          // out [draws]
                                        int64* centre_places) {     // out [draws] in the corpus
    const int64 thread = thread_number();
    if (thread >= tokens) return;
    const int place = static_cast<int>(thread);
    const int at = kept_before[place];
    if (kept_before[place + 1] == at) return;
    const uint64 counter = static_cast<uint64>(places[place]) * kDraws;
    const int width = 1 + random_place(random_bits(key, counter + kWidthDraw), WINDOW);
    const int segment = part_of(segment_bounds, segments, place);
    const int begin = kept_before[segment_bounds[segment]];
    const int end = kept_before[segment_bounds[segment + 1]];
    token_ids[at] = ids[place];
    first_context[at] = max(begin, at - width);
    last_context[at] = min(end, at + width + 1);
    const int block = part_of(block_bounds, blocks, place);
    const int centre = at - kept_before[block_bounds[block]];
    if (centre % CENTRES_PER_DRAW) return;
    const int draw = draws_before[block] + centre / CENTRES_PER_DRAW;
    first_centre[draw] = at;
    centre_places[draw] = places[place];
}

struct AliasTable {
    const uint32* thresholds;  // [size]
    const int* others;         // [size]
    uint32 size;

    __device__ int drawn(uint64 bits) const {
        const uint32 place = random_place(bits, size);
        return static_cast<uint32>(bits) < thresholds[place] ? place : others[place];
    }
};

extern "C" __global__ void draw_negatives(const int64* centre_places,  // in [draws] in the corpus
                                          int draws, uint64 key,
                                          const uint32* thresholds,   // in [words + numerals]
                                          const int* others,          // in [words + numerals]
                                          uint32 size,
                                          const uint32* numeral_thresholds,  // in [numerals]
                                          const int* numeral_others,         // in [numerals]
                                          uint32 numerals,
                                          int numeral_negatives,      // of centres with a numeral
                                          const int* token_ids,       // in [kept]
                                          const int* first_centre,    // in [draws + 1]
                                          int* negatives) {           // out [draws, NEGATIVES]
    const int64 thread = thread_number();
    if (thread >= static_cast<int64>(draws) * NEGATIVES) return;
    const int64 draw = thread / NEGATIVES;
    const int k = thread % NEGATIVES, words = size - numerals;
    bool is_numeral = false;
    if (k < numeral_negatives)
        for (int centre = first_centre[draw]; centre < first_centre[draw + 1]; ++centre)
            is_numeral |= token_ids[centre] >= words;
    const uint64 token = centre_places[draw];
    const uint64 bits = random_bits(key, token * kDraws + kFirstNegativeDraw + k);
    const AliasTable all{thresholds, others, size};
    const AliasTable of_numerals{numeral_thresholds, numeral_others, numerals};
    negatives[thread] = is_numeral ? words + of_numerals.drawn(bits) : all.drawn(bits);
}

// The round in which each draw is trained: draws_of in rounds.cu, the other way round.
extern "C" __global__ void find_rounds(const int* bounds,  // in [rounds + 1]
                                       int rounds, int segments, int draws,
                                       int* round_of) {    // out [draws]
    const int64 draw = thread_number();
    if (draw >= draws) return;
    const int64 segment = ((draw + 1) * segments - 1) / draws;
    const int64 first = segment * draws / segments;
    const int64 own = (segment + 1) * draws / segments - first;
    int low = 0, high = rounds - 1;  // the last round that begins at the draw or before
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (first + own * bounds[middle] / draws <= draw) low = middle;
        else high = middle - 1;
    }
    round_of[draw] = low;
}

// Which numerals a round needs rows of: input rows of its draws' contexts, output rows of their
// centres and negatives.
extern "C" __global__ void mark_members(const int* rows,           // in [kept]
                                        const int* first_context,  // in [kept]
                                        const int* last_context,   // in [kept]
                                        const int* first_centre,   // in [draws + 1]
                                        const int* negative_rows,  // in [draws, NEGATIVES]
                                        const int* round_of,       // in [draws]
                                        int draws, int64 groups,
                                        uint8* is_member) {        // inout [rounds, 2, groups], 0
    const int64 draw = thread_number();
    if (draw >= draws) return;
    uint8* is_input = is_member + 2 * round_of[draw] * groups;
    uint8* is_output = is_input + groups;
    for (int k = 0; k < NEGATIVES; ++k) {
        const int row = negative_rows[draw * NEGATIVES + k];
        if (row < 0) is_output[-1 - row] = 1;
    }
    const int first = first_centre[draw], end = first_centre[draw + 1];
    for (int centre = first; centre < end; ++centre) {
        if (rows[centre] < 0) is_output[-1 - rows[centre]] = 1;
        for (int at = first_context[centre]; at < last_context[centre]; ++at)
            if (rows[at] < 0) is_input[-1 - rows[at]] = 1;
    }
}
