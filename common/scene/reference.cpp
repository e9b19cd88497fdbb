#include "common/scene/reference.h"

#include <algorithm>
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
position = [-1.6, 0.9, 1.6]
look_at = [0, 0.15, 0]

[solver]
dx = 0.02
)";

constexpr std::string_view beforeExample = R"(# The scene file

A shot is one TOML file. It describes the snow, the bodies that the snow collides with, the lights and the camera. Only the
place of the snow has no usable default. Lengths are in metres, times in seconds, masses in kilograms, angles in
degrees, and y is up.

This scene drops a snowball into a bed of snow:

```toml
)";

constexpr std::string_view afterExample = R"(```

Unknown keys, wrong types and values out of range are errors. So is a key that the chosen `shape` or `kind` does not use.
The message tells file, line and column, what was found and what was expected, and the nearest known name. Integers are
accepted for numbers.

## Where a value comes from

Each value is taken from the first of these places that gives one:

| place | how |
|---|---|
| command line | `--set solver.dx=0.02`; if a key is given several times, the last one counts |
| take | the settings of the take, which the shot lists or `firn-sim wedge --vary` makes. `wedge` refuses `--set` of such a key; with `firn-render frames`, `--set` counts |
| environment | `FIRN_SOLVER_DX=0.02` |
| quality | `--quality draft`, `preview` or `final` |
| the scene | the file itself, then the file that it includes |
| preset | `preset` of a snow region or of `[render]` |
| default | see the tables below |

**Dotted keys** name any value of the scene: `solver.dx`, `render.spp`, `camera.focal_length_mm`. In lists, an element has
its name or its index, counted from 0: `snow.bed.material.hardening`, `snow.0.material.hardening`,
`body.blade.key.1.position`.

**`--set`** reads the value as TOML: `--set 'camera.position=[3, 1, 3]'`. Text needs no quotes:
`--set solver.integrator=implicit`.

**Environment variables** are named `FIRN_` and the dotted key in upper case, with `_` for every character that is not a
letter or digit: `FIRN_SNOW_BED_MATERIAL_HARDENING=12`. A variable that begins like a table of the scene (`FIRN_SNOW_`,
`FIRN_BODY_`, `FIRN_CAMERA_`, `FIRN_LIGHT_`, `FIRN_SOLVER_`, `FIRN_AIR_`, `FIRN_WINDOW_`, `FIRN_RENDER_`) but names no key
is an error. Other variables are ignored.

**Quality.** A scene can state what each quality changes, by dotted keys:

```toml
[quality.draft]
"solver.dx" = 0.05
"render.spp" = 4
frames = "1-24"
```

If the scene has no table for a quality, the built-in one applies: `final` is the scene as written; `preview` has 1.5 times
`solver.dx` and a quarter of `render.spp`; `draft` has 2.5 times `solver.dx`, a sixteenth of `render.spp` (at least 1), and
half the width and height. An empty table changes nothing. Without `--quality` the scene is used as written.

**Takes.** A scene can list variations of itself, each with a name and dotted keys. `firn-sim wedge` simulates each of them
into a folder of that name; all other commands ignore them:

```toml
[[take]]
name = "brittle"
"snow.0.material.hardening" = 20
"snow.0.material.youngs_modulus_pa" = 3e5
```

**`--dump-config`** prints the resolved scene, with the place that each value came from. The output is a scene file itself.

## Other files

`include = "set.toml"` at the top of the file takes everything from another scene file, which must not include a third one.
The including file overwrites the included one: in tables key by key, and in `[[snow]]`, `[[body]]` and `[[light]]` for
elements of the same name. Elements with other names are added. Lists of animation keys are replaced as a whole.

All files that a scene refers to must exist. Their paths are relative to the folder of the scene (with `include`, of the
including scene). They must not lie outside that folder, not even through a symbolic link, unless the command line has
`--allow-outside`.

## Keys

The column *sim* marks the keys that change the simulation. A change of another key leaves the cache valid. A `preset`
of snow has no mark, but it sets marked keys: another preset needs a new simulation if these change. A list in
parentheses before the meaning tells which values of `shape` or `kind` use the key.
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
    if (&table == &snowLookTable()) return key.name != "albedo";
    return &table == &snowMaterialTable() || &table == &snowNoiseTable() || &table == &snowCrustTable() ||
           &table == &snowSeamsTable();
}

/// Whether a key of animation is taken from the key before it (checks.h, fillAnimationKeys).
bool comesFromKeyBefore(const Table& table, const Key& key)
{
    return (&table == &bodyKeyTable() || &table == &cameraKeyTable()) && key.name != "time_s" && key.name != "ease";
}

std::string defaultText(const Table& table, const Key& key)
{
    if (comesFromPreset(table, key)) return "from the preset";
    if (comesFromKeyBefore(table, key)) return "from the key before";
    if (&table == &bodyPlaceTable() && (key.name == "friction" || key.name == "sticky")) return "from the body";
    const std::string text = valueText(key, table.defaults, {});
    return text == "\"\"" || text == "{ }" ? "" : "`" + text + "`";
}

std::string onlyText(const Key& key) { return key.only.empty() ? "" : "(" + onlyList(key) + ") "; }

std::string keyRow(const Table& table, const Key& key)
{
    const std::string unit = key.unit.empty() ? "" : ", " + std::string(key.unit);
    return row({"`" + std::string(key.name) + "`", typeText(key, table.defaults) + unit, defaultText(table, key),
                rangeText(key), key.affects == Affects::Picture ? "" : "yes",
                onlyText(key) + std::string(key.meaning)});
}

void addTable(const Table& table, std::string& page)
{
    page += "\n### " + (table.title.empty() ? std::string("Top level") : "`" + std::string(table.title) + "`") + "\n\n";
    page += std::string(table.meaning) + "\n\n";
    page += "| key | type, unit | default | range | sim | meaning |\n|---|---|---|---|---|---|\n";
    for (const Key& key : table.keys) page += keyRow(table, key);
    if (&table == &sceneTable()) {
        page += row({"`include`", "path of a file", "", "", "yes", "Another scene file to start from; see above."});
        page += row({"`quality`", "tables", "", "", "", "What each `--quality` changes; see above."});
        page += row({"`take`", "list of tables", "", "", "", "Variations for `firn-sim wedge`; see above."});
    }
    for (const Child& child : table.children) addTable(child.table(), page);
}

/// Material keys that have a column of their own in the table of snow presets.
constexpr std::array<std::string_view, 6> presetColumns{"density_kg_m3",        "youngs_modulus_pa", "poisson_ratio",
                                                        "critical_compression", "critical_stretch",  "hardening"};

/// Adds "noise.stiffness 0.2" for each value of a preset that differs from its default and has no column.
void addOtherValues(const Table& table, void* object, const std::string& prefix, std::string& text)
{
    for (const Key& key : table.keys) {
        const bool hasColumn =
            &table == &snowLookTable()
                ? key.name == "grain_radius_mm"
                : &table == &snowMaterialTable() && std::ranges::find(presetColumns, key.name) != presetColumns.end();
        const std::string value = valueText(key, object, {});
        if (hasColumn || value == valueText(key, table.defaults, {})) continue;
        text += (text.empty() ? "" : ", ") + prefix + std::string(key.name) + " " + value;
    }
}

std::string snowPresetRow(SnowPreset preset)
{
    std::string line = "| `" + std::string(preset.name) + "` |";
    const Table& material = snowMaterialTable();
    for (const auto column : presetColumns) line += " " + valueText(*material.key(column), &preset.material, {}) + " |";
    line += " " + valueText(*snowLookTable().key("grain_radius_mm"), &preset.look, {}) + " |";
    std::string others;
    addOtherValues(snowLookTable(), &preset.look, "look.", others);
    addOtherValues(snowNoiseTable(), &preset.noise, "noise.", others);
    addOtherValues(snowCrustTable(), &preset.crust, "crust.", others);
    addOtherValues(snowSeamsTable(), &preset.seams, "seams.", others);
    addOtherValues(material, &preset.material, "", others);
    return line + (others.empty() ? "" : " " + others) + " | " + std::string(preset.meaning) + " |\n";
}

void addSnowPresets(std::string& page)
{
    page +=
        "\n## Snow presets\n\nValues that are not listed are the defaults of `[snow.material]`, `[snow.noise]`, "
        "`[snow.crust]`, `[snow.seams]` and `[snow.look]`, which the preset `paper` consists of.\n\n";
    page +=
        "| preset | density kg/m³ | E₀ Pa | ν | θ_c | θ_s | ξ | grain radius mm | other values | look and reason |\n";
    page += "|---|---|---|---|---|---|---|---|---|---|\n";
    for (const SnowPreset& preset : snowPresets()) page += snowPresetRow(preset);
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
        "Reflectance is the spherical reflectance of deep snow: the share of uniform light that it reflects. The "
        "renderer "
        "computes\nthe albedo a from it by R = (1 − s)(1 − 0.139 s)/(1 + 1.17 s) with s = "
        "√((1 − a)/(1 − a g)) (van de Hulst 1980). So a change\nof `render.anisotropy` does not change the colour. The "
        "preset `paper` gives the albedo itself. The preset `pure` computes it from `grain_radius_mm`: about 0.96, "
        "0.98 and "
        "0.99 for\ngrains of 0.25 mm, and 0.93, 0.96 and 0.99 for 1 mm.\n\n| preset | reflectance | albedo | look "
        "|\n|---|---|---|---|\n";
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
    std::string page = std::string(beforeExample) + std::string(example) + std::string(afterExample);
    addTable(sceneTable(), page);
    addSnowPresets(page);
    addRenderPresets(page);
    return page;
}

}  // namespace firn
