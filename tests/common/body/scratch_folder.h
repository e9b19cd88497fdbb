#pragma once
// A folder of its own for the files that a test writes; gone with it.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace firn {

class ScratchFolder {
public:
    explicit ScratchFolder(const std::string& name)
        : m_path(std::filesystem::temp_directory_path() / ("firn-test-" + name + "-" + std::to_string(::getpid())))
    {
        std::filesystem::create_directories(m_path);
    }
    ~ScratchFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::filesystem::path write(const std::string& name, const std::string& content) const
    {
        std::ofstream(m_path / name, std::ios::binary) << content;
        return m_path / name;
    }
    std::filesystem::path path(const std::string& name) const { return m_path / name; }

private:
    std::filesystem::path m_path;
};

}  // namespace firn
