#pragma once
// The last few things that were made, by key.

#include <deque>
#include <memory>
#include <utility>

namespace firn {

template <class Key, class T>
class Recent {
public:
    explicit Recent(std::size_t limit) : m_limit(limit) {}

    template <class Make>
    std::shared_ptr<const T> get(const Key& key, Make&& make)
    {
        for (const auto& [known, value] : m_values)
            if (known == key) return value;
        std::shared_ptr<const T> value = make();
        if (m_values.size() == m_limit) m_values.pop_front();
        m_values.emplace_back(key, value);
        return value;
    }

private:
    std::size_t m_limit;
    std::deque<std::pair<Key, std::shared_ptr<const T>>> m_values;
};

}  // namespace firn
