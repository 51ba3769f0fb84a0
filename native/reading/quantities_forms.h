// The items of one quantity and its form → its reading. quantities_forms.cpp and
// quantities_calendar.cpp have the forms, which are those of forms.py and calendar.py.
#pragma once
#include <vector>

#include "quantities.h"

namespace numberline {

struct Amount {
    const Item* item;
    double value;
    QuantityReading::Terms terms;
};

// The items of one quantity, and its reading; names and rules are those of forms.py.
class FormReader {
  public:
    FormReader(const QuantityTables& tables, const Item* start, const Item* stop,
           QuantityReading& reading)
        : tables_(tables), items_(start), count_(static_cast<size_t>(stop - start)),
          reading_(reading) {
        reading_.start = start->start;
        reading_.end = (stop - 1)->end;
    }
    bool read(Form form);

  private:
    const Item& first() const { return items_[0]; }
    const Item& last() const { return items_[count_ - 1]; }
    std::vector<Amount> amounts();
    bool precedes_number(size_t index) const;
    bool is_exponent(size_t index, bool has_number) const;
    bool read_value();
    bool as_money(const Item& number);
    bool bare();
    bool negative();
    bool range(bool may_descend);
    bool set_ends(const Amount& first, const Amount& second);
    bool plusminus();
    bool spread();
    bool compound();
    bool pair();
    bool ratio();
    bool phone() const;
    bool likely(double from, double to) { return bare() && from <= first().value && first().value <= to; }
    bool short_year();
    bool decade();
    bool era();
    bool angle();
    bool footinch();
    bool years();
    bool shared();
    bool date();
    bool time();
    bool monthday();
    bool clocked();
    bool stopwatch();
    std::vector<const Item*> with(Bits classes, size_t from, size_t to) const;

    const QuantityTables& tables_;
    const Item* items_;
    size_t count_;
    QuantityReading& reading_;
};

// The year of two digits: '19 is 2019, '98 is 1998.
double full_year(double digits);

}  // namespace numberline
