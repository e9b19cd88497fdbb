// The relations that every model must fulfil, and batches whose particles are of several models and regions.

#include "sim/material/materials.h"
#include "tests/sim/material/model_checks.h"
#include "tests/sim/material/neo_hookean.h"

using namespace firn;

namespace {

/// The paper's snow without bounds on J_P, so that plastic return keeps the volume exactly.
Snow<double> unboundedSnow(bool plastic)
{
    SnowMaterial keys;
    keys.min_J_P = 0;
    keys.max_J_P = keys.max_hardening = 1e30;
    return Snow<double>::of(keys, plastic);
}

using TwoModels = MaterialList<NeoHookean, Snow>;

/// Soft snow, rubber, and hard snow: regions 0, 1 and 2.
TwoModels threeRegions()
{
    SnowMaterial soft, rubber, hard;
    rubber.youngs_modulus_pa = 1e6;
    hard.youngs_modulus_pa = 4e5;
    hard.critical_compression = 0.02;
    return TwoModels(
        {TwoModels::describedBy(soft, true), TwoModels::describedBy(rubber, true), TwoModels::describedBy(hard, true)});
}

/// As many particles as a batch has lanes, in memory order, with the state in double beside the one in lanes.
struct BatchOfStates {
    std::vector<MaterialState<double>> particle;
    MaterialState<Batch> lanes;

    explicit BatchOfStates(double spread)
    {
        std::mt19937 random(3);
        for (int l = 0; l < batchSize; ++l) {
            MaterialState<double> s = randomState(random, spread);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    lanes.F_E[i][j][l] = static_cast<float>(s.F_E[i][j]);
                    s.F_E[i][j] = static_cast<double>(lanes.F_E[i][j][l]);
                }
            lanes.J_P[l] = static_cast<float>(s.J_P);
            lanes.modulus_factor[l] = static_cast<float>(s.modulus_factor);
            lanes.fill[l] = static_cast<float>(s.fill);
            lanes.strength[l] = static_cast<float>(s.strength);
            s.J_P = static_cast<double>(lanes.J_P[l]);
            s.fill = static_cast<double>(lanes.fill[l]);
            particle.push_back(s);
        }
    }
};

Matrix lane(const Mat3<Batch>& m, int l)
{
    Matrix result;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) result[i][j] = static_cast<double>(m[i][j][l]);
    return result;
}

Matrix lane(const Symmetric3<Batch>& s, int l)
{
    const auto at = [l](const Batch& entry) { return static_cast<double>(entry[l]); };
    return full({at(s.xx), at(s.yy), at(s.zz), at(s.xy), at(s.xz), at(s.yz)});
}

/// Checks what a list answers for a batch of these regions against each particle's own model in double. Floats carry
/// 24 bits and stresses are differences of numbers near one: 1e-5 of the wave modulus.
void checkBatch(const TwoModels& materials, const std::vector<std::uint8_t>& region, double spread)
{
    const BatchOfStates states(spread);
    const Lanes lanes(0, batchSize);
    const Mat3<Batch> G = states.lanes.F_E;  // any matrix does
    const auto evaluate = [&](const auto& f) { return materials.evaluate(region, lanes, f); };
    const Batch energy = evaluate([&](const auto& model) { return model.energyDensity(states.lanes); });
    const Batch wave = evaluate([&](const auto& model) { return model.waveModulus(states.lanes); });
    const Symmetric3<Batch> tau = evaluate([&](const auto& model) { return model.kirchhoffStress(states.lanes); });
    MaterialState<Batch> after = states.lanes;
    const Batch waveAfter = materials.change(region, lanes, after, [](const auto& model, auto& state) {
        model.plasticReturn(state);
        return model.waveModulus(state);
    });
    const Tangent<Batch> tangent =
        evaluate([&](const auto& model) { return model.tangent(states.lanes, broadcast(1), broadcast(0), false); });
    const Mat3<Batch> rate = materials.evaluateType(
        region, lanes, [&](auto type) { return decltype(type)::type::stressRate(tangent, G, false); });
    const Batch mean =
        materials.evaluateType(region, lanes, [&](auto type) { return decltype(type)::type::meanModulus(tangent); });
    for (int l = 0; l < batchSize; ++l)
        std::visit(
            [&](const auto& model) {
                INFO("lane " << l << " of region " << static_cast<int>(region[l]));
                const MaterialState<double>& s = states.particle[l];
                const double modulus = model.waveModulus(s);
                CHECK(static_cast<double>(wave[l]) == Approx(modulus).epsilon(1e-5));
                CHECK(std::abs(static_cast<double>(energy[l]) - model.energyDensity(s)) <= 1e-5 * modulus);
                CHECK(distance(lane(tau, l), full(model.kirchhoffStress(s))) <= 1e-5 * modulus);
                MaterialState<double> returned = s;
                model.plasticReturn(returned);
                CHECK(static_cast<double>(waveAfter[l]) == Approx(model.waveModulus(returned)).epsilon(1e-4));
                CHECK(distance(lane(after.F_E, l), returned.F_E) <= 1e-5);
                CHECK(static_cast<double>(after.J_P[l]) == Approx(returned.J_P).epsilon(1e-5));
                const Tangent<double> own = model.tangent(s, 1, 0, false);
                CHECK(distance(lane(rate, l), model.stressRate(own, lane(G, l), false)) <= 1e-4 * modulus);
                CHECK(static_cast<double>(mean[l]) == Approx(model.meanModulus(own)).epsilon(1e-4));
            },
            materials[region[l]]);
}

}  // namespace

TEST_CASE("Snow's energy, stresses and their rates belong together", "[material]")
{
    checkModel(unboundedSnow(false), 0.1);
    Snow<double> yielding = unboundedSnow(true);
    yielding.near_rest = false;  // the states are far from rest
    checkModel(yielding, 0.1);
}

TEST_CASE("A model of the tests, neo-Hookean rubber, fulfils what every model must", "[material]")
{
    checkModel(NeoHookean<double>::of(SnowMaterial(), true), 0.1);
}

TEST_CASE("A scene's keys choose the first model of the list that they describe", "[material]")
{
    const TwoModels materials = threeRegions();
    REQUIRE(materials.regions() == 3);
    CHECK(std::holds_alternative<Snow<double>>(materials[0]));
    CHECK(std::holds_alternative<NeoHookean<double>>(materials[1]));
    CHECK(std::holds_alternative<Snow<double>>(materials[2]));
}

TEST_CASE("In a batch of several models every lane is answered by its own", "[material]")
{
    // rubber stretched by tens of per cent beside snow of 2 % and less: neither's values harm the other's lanes
    for (const double spread : {0.003, 0.01, 0.1}) {
        std::vector<std::uint8_t> region(batchSize);
        for (int l = 0; l < batchSize; ++l) region[l] = static_cast<std::uint8_t>(l % 3);
        TwoModels materials = threeRegions();
        if (spread > 0.01) {  // beyond what the series near rest is made for
            std::vector<TwoModels::Material> regions;
            for (std::size_t r = 0; r < 3; ++r) regions.push_back(materials[r]);
            for (TwoModels::Material& material : regions)
                if (auto* snow = std::get_if<Snow<double>>(&material)) snow->near_rest = false;
            materials = TwoModels(regions);
        }
        checkBatch(materials, region, spread);
        for (std::uint8_t only = 0; only < 3; ++only)
            checkBatch(materials, std::vector<std::uint8_t>(batchSize, only), spread);
        std::vector<std::uint8_t> last(batchSize, 0);  // one lane alone is of another model
        last.back() = 1;
        checkBatch(materials, last, spread);
    }
}

TEST_CASE("A batch of one model has the bits of a list that knows no other", "[material]")
{
    const BatchOfStates states(0.01);
    const Lanes lanes(0, batchSize);
    const Snow<double> snow = Snow<double>::of(SnowMaterial(), true);
    const MaterialList<Snow> one({snow});
    const TwoModels two({snow, NeoHookean<double>::of(SnowMaterial(), true)});
    const std::vector<std::uint8_t> region(batchSize, 0);
    const auto stress = [&](const auto& model) { return model.kirchhoffStress(states.lanes); };
    const Symmetric3<Batch> a = one.evaluate(region, lanes, stress), b = two.evaluate(region, lanes, stress);
    for (int l = 0; l < batchSize; ++l) {
        CHECK(a.xx[l] == b.xx[l]);
        CHECK(a.yz[l] == b.yz[l]);
    }
}

TEST_CASE("A setting holds for a model's regions only where all of them say so", "[material]")
{
    SnowMaterial brittle, ductile;
    ductile.critical_compression = 0.2;  // beyond the series near rest
    const auto materials = [](const std::vector<SnowMaterial>& all) {
        std::vector<Materials::Material> regions;
        regions.reserve(all.size());
        for (const SnowMaterial& keys : all) regions.push_back(Materials::describedBy(keys, true));
        return Materials(regions);
    };
    const Lanes lanes(0, batchSize);
    const std::vector<std::uint8_t> region(batchSize, 0);
    const auto nearRest = [](const auto& model) { return model.near_rest; };
    CHECK(materials({brittle, brittle}).evaluate(region, lanes, nearRest));
    CHECK_FALSE(materials({brittle, ductile}).evaluate(region, lanes, nearRest));
    CHECK_FALSE(materials({ductile}).evaluate(region, lanes, nearRest));
}

TEST_CASE("Waves in packed snow are those of its hardened skeleton and of ice with closed pores")
{
    Scene scene;
    SnowRegion bed;
    bed.material.density_kg_m3 = 250;
    bed.material.youngs_modulus_pa = 8e4;
    bed.material.hardening = 4;
    bed.material.min_J_P = 0.45;
    bed.material.max_hardening = 6;
    bed.material.packed_modulus_pa = 1e7;
    scene.snow = {bed};
    // The skeleton: 6 (lambda + 2 mu) = 6 * 88888.9 Pa over 250 kg/m^3. exp(4 (1 - 0.45)) = 9 is above the bound of 6.
    CHECK(packedWaveSpeed(scene, materialsOf(scene), 829.99) == Approx(46.188).epsilon(1e-4));
    // Ice: e = 1 - 830 / 890, K (1 + 9 (e / 0.08)^8) J^2 / fill with J = 250 / 890 and fill = 250 / 830: 8.615e6 Pa.
    CHECK(packedWaveSpeed(scene, materialsOf(scene), 890) == Approx(191.3).epsilon(1e-3));
    scene.snow[0].still = true;
    CHECK(packedWaveSpeed(scene, materialsOf(scene), 890) == 0);
    scene.snow[0].still = false;
    scene.solver.plasticity = false;
    CHECK(packedWaveSpeed(scene, materialsOf(scene), 890) == 0);
}
