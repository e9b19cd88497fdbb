#pragma once
// Plain values as bytes, for answers between processes of this program. Not a file format.

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace firn {

class ByteWriter {
public:
    template <class T>
    void put(const T& value)
    {
        static_assert(std::is_trivially_destructible_v<T>);
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    template <class T>
    void put(const std::vector<T>& values)
    {
        put(values.size());
        m_bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
    void put(const std::string& text)
    {
        put(text.size());
        m_bytes += text;
    }

    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

/// Throws std::runtime_error where the bytes end too early.
class ByteReader {
public:
    explicit ByteReader(std::string bytes) : m_bytes(std::move(bytes)) {}

    template <class T>
    void get(T& value)
    {
        std::memcpy(static_cast<void*>(&value), next(sizeof value), sizeof value);
    }
    template <class T>
    void get(std::vector<T>& values)
    {
        const std::size_t count = size(sizeof(T));
        values.resize(count);
        if (count > 0) std::memcpy(static_cast<void*>(values.data()), next(count * sizeof(T)), count * sizeof(T));
    }
    void get(std::string& text)
    {
        const std::size_t count = size(1);
        text.assign(next(count), count);
    }
    /// A number of elements of at least `leastBytes` each that are still to come.
    std::size_t size(std::size_t leastBytes)
    {
        std::size_t count = 0;
        get(count);
        if (count > (m_bytes.size() - m_at) / leastBytes) throw std::runtime_error("the answer is too short");
        return count;
    }

private:
    const char* next(std::size_t count)
    {
        if (count > m_bytes.size() - m_at) throw std::runtime_error("the answer is too short");
        m_at += count;
        return m_bytes.data() + m_at - count;
    }

    std::string m_bytes;
    std::size_t m_at = 0;
};

}  // namespace firn
