#include <zlib.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "common/page/page.h"

using namespace firn;

namespace {

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

}  // namespace

TEST_CASE("Text in a page cannot become markup")
{
    CHECK(escapeHtml("<b title=\"x\" class='y'>&amp;") == "&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;");
    const nlohmann::ordered_json json = {{"</script><script>", "<!--&\"'\xff"}};
    const std::string text = scriptJson(json);
    CHECK(text.find_first_of("<>&") == std::string::npos);
    const nlohmann::ordered_json expected = {{"</script><script>", "<!--&\"'\xef\xbf\xbd"}};
    CHECK(nlohmann::ordered_json::parse(text) == expected);
}

TEST_CASE("Base 64 gives the vectors of RFC 4648")
{
    const std::vector<std::pair<std::string, std::string>> vectors = {{"", ""},
                                                                      {"f", "Zg=="},
                                                                      {"fo", "Zm8="},
                                                                      {"foo", "Zm9v"},
                                                                      {"foob", "Zm9vYg=="},
                                                                      {"fooba", "Zm9vYmE="},
                                                                      {"foobar", "Zm9vYmFy"},
                                                                      {"\xff\xfe\xfd", "//79"}};
    for (const auto& [plain, coded] : vectors) CHECK(base64(bytesOf(plain)) == coded);
}

TEST_CASE("Deflated bytes inflate to what they were")
{
    const std::string text(100000, 'x');
    const std::vector<std::byte> small = deflated(bytesOf(text));
    CHECK(small.size() < 1000);
    std::string back(text.size() + 1, ' ');
    uLongf size = back.size();
    REQUIRE(uncompress(reinterpret_cast<Bytef*>(back.data()), &size, reinterpret_cast<const Bytef*>(small.data()),
                       small.size()) == Z_OK);
    CHECK(back.substr(0, size) == text);
}

TEST_CASE("What is put into a page is not searched for places")
{
    CHECK(fillPage("<{{a}}|{{b}}{{a}}>", {{"a", "{{b}}"}, {"b", "2"}}) == "<{{b}}|2{{b}}>");
    CHECK(fillPage("nothing", {}) == "nothing");
}
