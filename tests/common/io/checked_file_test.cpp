#include "common/io/checked_file.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "common/error.h"
#include "common/io/checksum.h"
#include "tests/temporary_folder.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

std::string textOf(const fs::path& path)
{
    const std::vector<std::byte> bytes = readFile(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class F>
Error errorOf(F&& action)
{
    try {
        action();
    } catch (const Error& error) {
        return error;
    }
    FAIL("expected an Error");
    return Error(ExitCode::Failed, "");
}

int exitOf(const std::string& command)
{
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Files of this process may not grow beyond `bytes`: writes then stop short and fail, as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_old);
        const rlimit limit{bytes, m_old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_old);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_old{};
    void (*m_handler)(int);
};

}  // namespace

TEST_CASE("The checksum is xxh3 with 64 bits, so that xxhsum -H3 verifies our files")
{
    // XXH3_64bits of nothing, from the reference implementation's test vectors.
    CHECK(checksum(std::string_view()) == "2d06800538d394c2");
    CHECK(hexDigits(0x0123456789abcdefULL) == "0123456789abcdef");
}

TEST_CASE("A checked file holds the bytes given and replaces an older one")
{
    TemporaryFolder folder;
    writeFileChecked(folder / "a", std::string_view("old and longer"));
    const WrittenFile file = writeFileChecked(folder / "a", std::string_view("new"));
    CHECK(textOf(folder / "a") == "new");
    CHECK(file.bytes == 3);
    CHECK(file.checksum == checksum(std::string_view("new")));
    CHECK(folder.entries() == 1);
}

TEST_CASE("Whichever write, sync, close or rename fails, the old file stands and nothing else is left")
{
    TemporaryFolder folder;
    const fs::path file = folder / "frame";
    // Ten megabytes are written in chunks of four: three writes. The file is synced, closed and renamed once each; then
    // its folder is synced and closed. The file is in place by then, but its name may not survive: still an error.
    struct Case {
        const char* function;
        int call;
        bool replaced;
    };
    for (const Case& c : {Case{"write", 1, false},
                          {"write", 2, false},
                          {"write", 3, false},
                          {"short", 1, false},
                          {"short", 3, false},
                          {"fsync", 1, false},
                          {"fsync", 2, true},
                          {"close", 1, false},
                          {"rename", 1, false}}) {
        INFO(c.function << " " << c.call);
        writeFileChecked(file, std::string_view("before"));
        const std::string command = std::string("FIRN_FAIL='") + c.function + " " + std::to_string(c.call) +
                                    "' LD_PRELOAD=" FIRN_FAIL_IO " " FIRN_WRITE_FILE " " + file.string() + " 10 2>" +
                                    (folder / "log").string();
        CHECK(exitOf(command) == 3);
        CHECK(textOf(folder / "log").find(file.string().substr(0, folder.path.string().size())) != std::string::npos);
        if (c.replaced) {
            CHECK(fs::file_size(file) == 10u << 20);
        } else {
            CHECK(textOf(file) == "before");
        }
        CHECK(folder.entries() == 2);  // the file and the log
    }
    // Beyond the last call nothing fails: the list above is complete.
    for (const char* plan : {"write 4", "fsync 3", "rename 2"}) {
        CHECK(exitOf(std::string("FIRN_FAIL='") + plan + "' LD_PRELOAD=" FIRN_FAIL_IO " " FIRN_WRITE_FILE " " +
                     file.string() + " 10") == 0);
    }
}

TEST_CASE("A disk that is full at any byte gives an error that names file and reason, and leaves nothing")
{
    TemporaryFolder folder;
    const std::string text(10000, 'x');
    for (const rlim_t room : {0u, 1u, 4096u, 9999u}) {
        const FileSizeLimit limit(room);
        const Error error = errorOf([&] { writeFileChecked(folder / "frame", text); });
        CHECK(error.code() == ExitCode::File);
        CHECK(std::string(error.what()).find((folder / "frame").string()) != std::string::npos);
        CHECK(std::string(error.what()).find("File too large") != std::string::npos);
        CHECK(folder.entries() == 0);
    }
    const FileSizeLimit limit(10000);
    CHECK(writeFileChecked(folder / "frame", text).bytes == 10000);
}

TEST_CASE("A device is not replaced by a file")
{
    const Error error = errorOf([] { writeFileChecked("/dev/full", std::string_view("x")); });
    CHECK(error.code() == ExitCode::File);
    CHECK(std::string(error.what()).find("/dev/full") != std::string::npos);
    CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("A folder below a regular file cannot be prepared")
{
    TemporaryFolder folder;
    writeFileChecked(folder / "file", std::string_view("x"));
    const Error error = errorOf([&] { prepareFolder(folder / "file/below"); });
    CHECK(error.code() == ExitCode::File);
    CHECK(std::string(error.what()).find("Not a directory") != std::string::npos);
    prepareFolder(folder / "new/below");
    CHECK(fs::is_empty(folder / "new/below"));
}

TEST_CASE("What killed writers left is removed, and nothing else")
{
    TemporaryFolder folder;
    std::ofstream(folder / ".firn-tmp-123-0-snow.0001.vdb") << "half";
    const std::vector<std::string> others{"snow.0001.vdb", ".firn-tmp-mine", ".firn-tmp-12-notes", ".firn-probe"};
    for (const std::string& name : others) std::ofstream(folder / name) << "whole";
    removeTemporaries(folder.path);
    prepareFolder(folder.path);
    CHECK(static_cast<std::size_t>(folder.entries()) == others.size());
    for (const std::string& name : others) CHECK(fs::exists(folder / name));
}

TEST_CASE("Temporary files of a living writer stay while another process removes those of dead ones")
{
    TemporaryFolder folder;
    std::atomic<bool> isDone = false;
    std::thread remover([&] {
        while (!isDone) removeTemporaries(folder.path);
    });
    for (int i = 0; i < 300; ++i) CHECK_NOTHROW(writeFileChecked(folder / "frame", std::string(5000, 'x')));
    isDone = true;
    remover.join();
    CHECK(fs::file_size(folder / "frame") == 5000);
    CHECK(folder.entries() == 1);
}

TEST_CASE("Only regular files up to the limit are read")
{
    TemporaryFolder folder;
    writeFileChecked(folder / "ten", std::string_view("0123456789"));
    CHECK(readFile(folder / "ten", 10).size() == 10);
    CHECK_THROWS_AS(readFile(folder / "ten", 9), Error);
    CHECK_THROWS_AS(readFile("/dev/zero"), Error);
    CHECK_THROWS_AS(readFile(folder / "none"), Error);
    CHECK_THROWS_AS(readFile(folder.path), Error);
}

TEST_CASE("A file that is only tried leaves nothing, and fails as one that is written")
{
    const TemporaryFolder folder;
    const fs::path path = folder / "file";
    writeFileChecked(path, "old");
    const std::string text(5000, 'x');
    tryToWriteFile(path, std::as_bytes(std::span(text)));
    CHECK(textOf(path) == "old");
    {
        const FileSizeLimit limit(1000);
        const Error error = errorOf([&] { tryToWriteFile(path, std::as_bytes(std::span(text))); });
        CHECK(error.code() == ExitCode::File);
        CHECK_THAT(error.what(), Catch::Contains(path.string()));
    }
    CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("A link to a file that is missing is not replaced")
{
    const TemporaryFolder folder;
    fs::create_symlink(folder / "server" / "file", folder / "a");
    CHECK_THROWS_WITH(writeFileChecked(folder / "a", "x"), Catch::Contains("which does not exist"));
    CHECK_THROWS_WITH(readFile(folder / "a"), Catch::Contains("which does not exist: remove the link"));
    CHECK(fs::is_symlink(folder / "a"));
}

TEST_CASE("Files are removed together, or none of them is")
{
    TemporaryFolder folder;
    const auto write = [&](const char* name) { writeFileChecked(folder / name, std::string_view(name)); };
    for (const char* name : {"a", "b", "file"}) write(name);
    CHECK_THROWS_WITH(removeFilesTogether({folder / "a", folder / "none", folder / "b", folder / "file" / "c"}),
                      Catch::Contains("cannot remove") && Catch::Contains("No file was removed"));
    CHECK(folder.entries() == 3);
    CHECK(readFile(folder / "b").size() == 1);
    removeFilesTogether({folder / "a", folder / "none", folder / "b"});
    CHECK(folder.entries() == 1);
}
