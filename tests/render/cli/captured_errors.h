#pragma once
// What a command that runs within the test writes to std::cerr.

#include <iostream>
#include <sstream>
#include <string>

namespace firn {

/// Catches std::cerr while it lives.
class CapturedErrors {
public:
    CapturedErrors() : m_before(std::cerr.rdbuf(m_text.rdbuf())) {}
    ~CapturedErrors() { std::cerr.rdbuf(m_before); }
    CapturedErrors(const CapturedErrors&) = delete;
    CapturedErrors& operator=(const CapturedErrors&) = delete;

    std::string text() const { return m_text.str(); }

private:
    std::ostringstream m_text;
    std::streambuf* m_before;
};

}  // namespace firn
