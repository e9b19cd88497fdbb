#include "common/scene/reference.h"

#include <array>
#include <cstdio>

#include "common/scene/keys.h"
#include "common/scene/presets.h"

namespace firn {

namespace {

constexpr std::string_view example = R"(frames = "1-48"

[[snow]]
name = "bed"
preset = "settled"
min = [-0.6, 0, -0.6]
max = [0.6, 0.2, 0.6]

[[snow]]
name = "ball"
shape = "sphere"
preset = "packing"
center = [0, 0.7, 0]
radius_m = 0.12
velocity = [0, -3, 0]

[[body]]
name = "ground"
shape = "plane"
friction = 0.6

[camera]
position = [1.6, 0.9, 1.6]
look_at = [0, 0.15, 0]

[solver]
dx = 0.02
)";

constexpr std::string_view before_example = R"(# The scene file

A shot is one TOML file. It says what is snow, what the snow collides with, and how it is lit and seen; everything has a
default except where the snow is. Lengths are in metres, times in seconds, masses in kilograms, angles in degrees, and y is
up. A snowball that drops into a bed of snow:

```toml
)";

constexpr std::string_view after_example = R"(```

Unknown keys, wrong types and values out of range are errors that name file, line, column, what was found and what was
expected, with the nearest known name. Integers do where a number is expected. A key that the chosen `shape` or `kind` has no
use for is an error too.

## Where a value comes from

The first of these that gives a value counts:

| place | how |
|---|---|
| command line | `--set solver.dx=0.02`, later ones over earlier ones |
| environment | `FIRN_SOLVER_DX=0.02` |
| quality | `--quality draft`, `preview` or `final` |
| the scene | the file over what it includes |
| preset | `preset` of a snow region or of `[render]` |
| default | the tables below |

**Dotted keys** name a value anywhere: `solver.dx`, `render.spp`, `camera.focal_length_mm`, and in lists an element by its
name or by its place counted from 0: `snow.bed.material.hardening`, `snow.0.material.hardening`, `body.blade.key.1.position`.

**`--set`** reads the value as TOML: `--set 'camera.position=[3, 1, 3]'`. Text needs no quotes there:
`--set solver.integrator=implicit`.

**Environment variables** are `FIRN_` and the dotted key in upper case, with `_` for all but letters and digits:
`FIRN_SNOW_BED_MATERIAL_HARDENING=12`. A variable that begins like a table of the scene (`FIRN_SNOW_`, `FIRN_BODY_`,
`FIRN_CAMERA_`, `FIRN_LIGHT_`, `FIRN_SOLVER_`, `FIRN_RENDER_`) but means no key is an error; others are not looked at.

**Quality.** A scene says what a quality changes, by dotted keys:

```toml
[quality.draft]
"solver.dx" = 0.05
"render.spp" = 4
frames = "1-24"
```

Without such a table (an empty one counts), `final` is the scene as written, `preview` has 1.5 times `solver.dx` and a quarter of `render.spp`, and
`draft` 2.5 times `solver.dx`, a sixteenth of `render.spp` (at least 1) and half the width and height. Without `--quality` the
scene is as written.

**Takes.** A scene may list variations of itself, each with a name and dotted keys. `firn-sim wedge` simulates them, each
into a folder of that name; nothing else looks at them:

```toml
[[take]]
name = "brittle"
"snow.0.material.hardening" = 20
"snow.0.material.youngs_modulus_pa" = 3e5
```

**`--dump-config`** prints the resolved scene, which is a scene itself, with the place each value came from.

## Other files

`include = "set.toml"` at the top takes everything from another scene file, which may not include a third one. What the
including file says wins: key by key in tables, and in `[[snow]]`, `[[body]]` and `[[light]]` for elements of the same name;
elements of other names are added. Lists of keys are replaced as a whole.

All paths are relative to the folder of the scene (of the including one, where there are two) and must exist. They may not
leave that folder, also not by a symbolic link, unless the command line says `--allow-outside`.

## Keys

The column *sim* marks what changes the simulation: after a change of anything else, the cache is still good. A list in
parentheses before the meaning says for which `shape` or `kind` a key is.
)";

std::string cell(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '|') result += '\\';
        result += c;
    }
    return result;
}

std::string row(std::initializer_list<std::string> cells)
{
    std::string line = "|";
    for (const std::string& c : cells) line += c.empty() ? "  |" : " " + cell(c) + " |";
    return line + "\n";
}

bool comesFromPreset(const Table& table, const Key& key)
{
    if (&table == &renderTable()) return key.name == "albedo";
    return &table == &snowMaterialTable() || &table == &snowNoiseTable() || &table == &snowCrustTable();
}

std::string defaultText(const Table& table, const Key& key)
{
    if (comesFromPreset(table, key)) return "of the preset";
    const std::string text = valueText(key, table.defaults, {});
    return text == "\"\"" || text == "{ }" ? "" : "`" + text + "`";
}

std::string onlyText(const Key& key)
{
    if (key.only.empty()) return "";
    std::string text = "(";
    for (const char c : key.only) text += c == ' ' ? std::string(", ") : std::string(1, c);
    return text + ") ";
}

std::string keyRow(const Table& table, const Key& key)
{
    const std::string unit = key.unit.empty() ? "" : ", " + std::string(key.unit);
    return row({"`" + std::string(key.name) + "`", typeText(key, table.defaults) + unit, defaultText(table, key),
                rangeText(key), key.affects == Affects::Simulation ? "yes" : "",
                onlyText(key) + std::string(key.meaning)});
}

void addTable(const Table& table, std::string& page)
{
    page += "\n### " + (table.title.empty() ? std::string("Top level") : "`" + std::string(table.title) + "`") + "\n\n";
    page += std::string(table.meaning) + "\n\n";
    page += "| key | type, unit | default | range | sim | meaning |\n|---|---|---|---|---|---|\n";
    for (const Key& key : table.keys) page += keyRow(table, key);
    if (&table == &sceneTable()) {
        page += row(
            {"`include`", "path of a file", "", "", "yes", "Another scene file to take everything from; see above."});
        page += row({"`quality`", "tables", "", "", "", "What `--quality` changes; see above."});
        page += row({"`take`", "list of tables", "", "", "", "Variations for `firn-sim wedge`; see above."});
    }
    for (const Child& child : table.children) addTable(child.table(), page);
}

/// The values of a preset that differ from the defaults, as a scene would give them.
std::string givenText(const Table& table, void* object, const std::string& prefix)
{
    std::string text;
    for (const Key& key : table.keys) {
        const std::string value = valueText(key, object, {});
        if (value == valueText(key, table.defaults, {})) continue;
        text += (text.empty() ? "" : ", ") + prefix + std::string(key.name) + " " + value;
    }
    return text;
}

void addSnowPresets(std::string& page)
{
    page += "\n## Snow presets\n\nWhat is not listed has the value that stands under *paper*.\n\n";
    page += "| preset | density kg/m³ | E₀ Pa | ν | θ_c | θ_s | ξ | besides | look and reason |\n";
    page += "|---|---|---|---|---|---|---|---|---|\n";
    for (SnowPreset preset : snowPresets()) {
        const SnowMaterial& m = preset.material;
        std::string besides = givenText(snowNoiseTable(), &preset.noise, "noise.");
        const std::string crust = givenText(snowCrustTable(), &preset.crust, "crust.");
        if (!crust.empty()) besides += (besides.empty() ? "" : ", ") + crust;
        const SnowMaterial defaults;
        if (m.max_hardening != defaults.max_hardening)
            besides += (besides.empty() ? "" : ", ") + ("max_hardening " + numberText(m.max_hardening));
        page += row({"`" + std::string(preset.name) + "`", numberText(m.density_kg_m3), numberText(m.youngs_modulus_pa),
                     numberText(m.poisson_ratio), numberText(m.critical_compression), numberText(m.critical_stretch),
                     numberText(m.hardening), besides, std::string(preset.meaning)});
    }
}

std::string colourText(const Vec3d& colour)
{
    std::string text;
    for (int channel = 0; channel < 3; ++channel) {
        std::array<char, 16> digits{};
        std::snprintf(digits.data(), digits.size(), "%.5g", colour[channel]);
        text += (channel > 0 ? ", " : "") + std::string(digits.data());
    }
    return text;
}

void addRenderPresets(std::string& page)
{
    page += "\n## Render presets\n\n";
    page +=
        "Reflectance is the spherical reflectance of deep snow: the share of uniform light that it sends back. The "
        "renderer computes\nthe albedo a from it by R = (1 − s)(1 − 0.139 s)/(1 + 1.17 s) with s = "
        "√((1 − a)/(1 − a g)) (van de Hulst 1980), so a change\nof `render.anisotropy` keeps the colour. The preset "
        "`paper` gives the albedo itself.\n\n| preset | reflectance | albedo | look |\n|---|---|---|---|\n";
    const auto colourCell = [](const Vec3d& colour) { return colour.isZero() ? std::string() : colourText(colour); };
    for (const RenderPreset& preset : renderPresets()) {
        page += row({"`" + std::string(preset.name) + "`", colourCell(preset.reflectance), colourCell(preset.albedo),
                     std::string(preset.meaning)});
    }
}

}  // namespace

std::string exampleScene() { return std::string(example); }

std::string sceneReference()
{
    std::string page = std::string(before_example) + std::string(example) + std::string(after_example);
    addTable(sceneTable(), page);
    addSnowPresets(page);
    addRenderPresets(page);
    return page;
}

}  // namespace firn
