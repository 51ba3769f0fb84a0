// Arbitrary bytes → the native scanner and counter, to be built with AddressSanitizer and UBSan.
//
// usage: fuzz_scanner TABLES SECONDS [SEED]. TABLES is what dump_tables.py writes. Inputs are random
// bytes, random picks of what the rules look at, and mutations of earlier inputs; every combination
// of options takes its turn, and text is fed both as lines and as tokens.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "counting.h"

using namespace numberline;

namespace {

const char* const kPieces[] = {
    "0", "1", "23", "456", "000", ",", ".", "-", "+", "/", ":", "'", "\"", "_", " ", "\n", "\r",
    "e", "E", "x", "ft", "m2", "%", "$", "a", "word", "mid-", "covid-", "million", "hundred",
    "twenty", "five", "and", "k", "M", "\xc2\xbd", "\xe2\x81\x84", "\xe2\x88\x92", "\xc2\xa0",
    "\xe2\x80\xaf", "\xd9\xa3", "\xe4\xb8\xad", "\xcc\x81", "\xf0\x9f\x98\x80", "\xff", "\xe2\x82",
    "\xed\xa0\x80", "\xf4\x90\x80\x80", "e400", "e-400", "1e999999999999", "9999999999999999999999"};

template <class T>
std::vector<T> read_array(std::ifstream& file) {
    uint64_t size = 0;
    file.read(reinterpret_cast<char*>(&size), sizeof size);
    std::vector<T> values(size);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(size * sizeof(T)));
    return values;
}

std::shared_ptr<const CharacterTables> read_tables(const char* path) {
    std::ifstream file(path, std::ios::binary);
    auto tables = std::make_shared<CharacterTables>();
    tables->shape = read_array<uint8_t>(file);
    tables->folded = read_array<uint32_t>(file);
    tables->zeros = read_array<uint32_t>(file);
    auto points = read_array<uint32_t>(file);
    auto values = read_array<double>(file);
    for (size_t i = 0; i < points.size(); ++i) tables->vulgar.emplace_back(points[i], values[i]);
    if (!file) {
        std::fprintf(stderr, "cannot read %s\n", path);
        std::exit(2);
    }
    return tables;
}

std::string new_input(std::mt19937_64& random, const std::vector<std::string>& earlier) {
    std::string input;
    if (!earlier.empty() && random() % 3 == 0) {
        input = earlier[random() % earlier.size()];
        for (int change = 0; change < 4 && !input.empty(); ++change) {
            size_t at = random() % input.size();
            if (random() % 2) input[at] = static_cast<char>(random());
            else input.insert(at, kPieces[random() % std::size(kPieces)]);
        }
        return input;
    }
    size_t pieces = random() % 200;
    bool is_random = random() % 4 == 0;
    for (size_t i = 0; i < pieces; ++i) {
        if (is_random) input.push_back(static_cast<char>(random()));
        else input += kPieces[random() % std::size(kPieces)];
    }
    return input;
}

TextOptions options_of(unsigned bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
}

void count_all_ways(const std::shared_ptr<const CharacterTables>& tables, const std::string& input,
                    unsigned options) {
    // A copy of exact size, so that reading one byte beyond it is noticed.
    std::unique_ptr<char[]> exact(new char[input.size()]);
    std::copy(input.begin(), input.end(), exact.get());
    std::string_view view(exact.get(), input.size());
    Counter counter(Scanner{tables, options_of(options)});
    NumberedText text = counter.add_text(view, true);
    NumberedText tokens = counter.add_tokens(view, true);
    Counter other(Scanner{tables, options_of(options)});
    other.add_text(view.substr(view.size() / 2), false);
    MergedVocabulary merged = merge({&counter, &other}, 1 + options % 2, 1 + options);
    size_t ids = merged.word_counts.size() + merged.numeral_values.size();
    for (NumberedText* numbered : {&text, &tokens}) {
        size_t kept =
            merged.renumberings[0].apply(numbered->ids.data(), numbered->ids.size(),
                                         numbered->line_lengths.data(),
                                         numbered->line_lengths.size());
        for (size_t i = 0; i < kept; ++i)
            if (numbered->ids[i] < 0 || static_cast<size_t>(numbered->ids[i]) >= ids) std::abort();
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return 2;
    auto tables = read_tables(arguments[1]);
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(arguments[2]));
    std::mt19937_64 random(count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1);
    std::vector<std::string> earlier;
    uint64_t inputs = 0;
    for (; std::chrono::steady_clock::now() < end; ++inputs) {
        std::string input = new_input(random, earlier);
        count_all_ways(tables, input, static_cast<unsigned>(random() % 16));
        if (earlier.size() < 1000) earlier.push_back(input);
        else earlier[random() % earlier.size()] = input;
    }
    std::printf("%llu inputs, no complaint\n", static_cast<unsigned long long>(inputs));
}
