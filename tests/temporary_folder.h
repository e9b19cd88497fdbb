#pragma once
// A folder for one test, removed when it ends.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace firn {

struct TemporaryFolder {
    std::filesystem::path path;

    TemporaryFolder()
    {
        std::string form = (std::filesystem::temp_directory_path() / "firn-test-XXXXXX").string();
        if (!mkdtemp(form.data())) std::abort();
        path = form;
    }
    ~TemporaryFolder()
    {
        std::error_code error;
        std::filesystem::remove_all(path, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path / name; }
    long entries() const
    {
        return std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
    }
};

}  // namespace firn
