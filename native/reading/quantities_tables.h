// What Python passes to read quantities: classes, words, units and rules, checked once.
//
// src/numberline/reading/quantities/ has the definitions; classes.py explains the classes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace numberline {

// The classes of items, in the order of classes.py.
#define NUMBERLINE_CLASSES(X)                                                                     \
    X(number) X(integer) X(whole) X(digit) X(short) X(three) X(four) X(pointed) X(threepoint) X(year)        \
    X(likely) X(monthno) X(day) X(hour) X(sixty) X(clocked) X(seconds) X(signed) X(counted) X(one)          \
    X(scaled) X(ordinal) X(dayth) X(fiscal) X(dotted)                                             \
    X(counting) X(scale) X(moneyscale) X(hundred) X(dozen) X(fraction) X(half) X(parts) X(suffix) \
    X(superscript) X(month) X(shortmonth) X(lowmonth) X(lowname) X(datecue) X(weekday) X(meridiem) X(clock) X(zone) X(era)          \
    X(yearcue) X(decade) X(unit) X(duration) X(percent) X(money) X(currency) X(weak) X(footunit)  \
    X(inchunit) X(footinch) X(sized) X(pronoun) X(negative) X(pointword) X(ago) X(yo) X(modifier) X(after)    \
    X(label) X(namelabel) X(phonecue) X(versioncue) X(agecue) X(old) X(scorenoun) X(scoreverb)    \
    X(possessive) X(to) X(and) X(in) X(of) X(per) X(article) X(the) X(or) X(between) X(from)      \
    X(outof) X(power) X(accounts) X(countable) X(yearnoun) X(function) X(word) X(plural) X(name)  \
    X(initial) X(adjective)                                                                                 \
    X(dash) X(hyphen) X(slash) X(open) X(square) X(close) X(comma) X(colon) X(point) X(plus) X(minus)       \
    X(plusminus) X(caret) X(times) X(apostrophe) X(footsign) X(inchsign) X(degreesign) X(hash)   \
    X(semicolon) X(other)

enum class Class : int {
#define X(name) name##_,
    NUMBERLINE_CLASSES(X)
#undef X
        count
};
const std::vector<std::string>& class_names();

// A set of classes.
struct Bits {
    uint64_t low = 0, high = 0;
    constexpr Bits operator|(Bits other) const { return {low | other.low, high | other.high}; }
    constexpr Bits operator&(Bits other) const { return {low & other.low, high & other.high}; }
    constexpr Bits operator~() const { return {~low, ~high}; }
    constexpr bool any(Bits other) const { return ((low & other.low) | (high & other.high)) != 0; }
};
template <class... Names>
constexpr Bits bits(Names... names) {
    Bits all;
    for (Class name : {names...}) {
        int index = static_cast<int>(name);
        if (index < 64) all.low |= uint64_t{1} << index;
        else all.high |= uint64_t{1} << (index - 64);
    }
    return all;
}

struct Entry {
    Bits classes;
    double value = 0;
    int32_t unit = -1;
};

struct Unit {
    int32_t dimension;
    double factor;
    std::array<int, 8> exponents;
};

enum class Operation : int { take, refuse, behind, split, jump, mark, end };
enum class Blank : int { any, joined, free };

struct Step {
    Operation operation;
    int first;   // blank of take, refuse and behind; step of split and jump; index of mark
    Bits classes;
    int second;  // of split
};

enum class Form : int {
    value, bare, negative, range, plusminus, spread, compound, pair, ratio, ordinal, identifier,
    version, phone, likely, named, sorted, skip, clocked, stopwatch, short_year, decade, era, years,
    date, time, shared, monthday, likelyday, angle, footinch, count
};
const std::vector<std::string>& form_names();

struct Rule {
    int kind;
    int after;  // -1 for any
    Form form;
    std::vector<Step> steps;
    Bits first_classes;
    // Of the second item that the rule takes, if it takes one: most rules are ruled out by these.
    Bits second_classes = {};
    bool may_take_one = false;
};

constexpr size_t kMostRules = 256;
using RuleSet = std::array<uint64_t, kMostRules / 64>;

// Spellings → what they mean: as written and in lower case, and how long the spellings are that
// begin with a word.
class Lexicon {
  public:
    struct Words {
        bool is_exact = false, is_folded = false;
        Entry exact, folded;
        int longest = 1;
    };
    void add(const std::string& spelling, bool is_exact, const Entry& entry);
    void set_longest(const std::string& word, int longest) { words(word).longest = longest; }
    void finish(Bits anchors);  // after the last spelling
    const Words* find(std::string_view spelling) const;
    // False for most words that cannot begin a number in words; in lower case.
    bool may_be_anchor(size_t length, uint32_t first, uint32_t last) const {
        return anchors_[anchor_hash(length, first, last)];
    }

  private:
    struct Slot {
        uint64_t hash = 0;
        int32_t index = -1;
    };
    static size_t anchor_hash(size_t length, uint32_t first, uint32_t last) {
        return (length * 1031 + first * 37 + last * 5) % kAnchors;
    }
    static constexpr size_t kAnchors = 4096;
    Words& words(const std::string& spelling);
    std::vector<std::string> spellings_;
    std::vector<Words> words_;
    std::vector<Slot> slots_ = std::vector<Slot>(1 << 15);
    std::array<bool, kAnchors> anchors_{};
};

struct QuantityTables {
    Lexicon lexicon;
    std::vector<Unit> units;
    std::vector<std::pair<std::array<int, 8>, int>> dimension_of;  // exponents → dimension
    std::vector<int> kind_of_dimension;  // kind of the numerals of a measure
    int other_dimension = 0, money_dimension = 0, percent_dimension = 0;
    int pound = 0, sterling = 0, inch = 0, foot = 0, second = 0, degree = 0;  // units
    int plain = 0, measure = 0, money = 0, day = 0, date = 0, year = 0, none = 0;  // kinds
    std::vector<Rule> rules;
    std::vector<RuleSet> rules_of_class;  // the rules that may begin at an item of a class

    void check() const;  // throws std::invalid_argument
    void index_rules();  // after check
    int dimension_of_terms(const std::vector<std::pair<int32_t, int>>& terms) const;
};

}  // namespace numberline
