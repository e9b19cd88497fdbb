#pragma once
// The materials of a scene's regions, of one or several models, as kernels ask for them.
//
// Kernels work on batches of particles. Where all particles of a batch are of one model, evaluate() calls it once for
// the batch. Where they are of several, it calls each of them for the whole batch and takes every lane from its own
// model. With one model in the list all of this is left out at compile time.

#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/material/model.h"
#include "sim/simd/lanes.h"

namespace firn {

template <template <class> class... Models>
class MaterialList {
    static_assert((MaterialModel<Models<double>, double> && ...) && (MaterialModel<Models<Batch>, Batch> && ...));

public:
    using Material = std::variant<Models<double>...>;

    MaterialList() = default;

    /// A material for each region. A setting (a bool parameter of a model) holds where all regions of the model say so.
    explicit MaterialList(const std::vector<Material>& regions) : m_regions(regions) { (fillTable<Models>(), ...); }

    /// The material that a scene's keys describe.
    static Material describedBy(const SnowMaterial& keys, bool plastic)
    {
        std::optional<Material> result;
        ((!result && Models<double>::describes(keys) ? void(result = Models<double>::of(keys, plastic)) : void()), ...);
        return result.value();
    }

    std::size_t regions() const { return m_regions.size(); }
    const Material& operator[](std::size_t region) const { return m_regions[region]; }

    /// f(model) of the materials of a batch; `region` is the particles' column. f returns a Batch, or what select() of
    /// model.h takes.
    template <class F>
    auto evaluate(const std::vector<std::uint8_t>& region, const Lanes& lanes, const F& f) const
    {
        return byModel(region, lanes,
                       [&]<template <class> class M>(Listed<M>) { return f(inLanes<M>(region, lanes)); });
    }

    /// f(model, state) of the materials of a batch, which may change the state; returns what f returns.
    template <class F>
    auto change(const std::vector<std::uint8_t>& region, const Lanes& lanes, MaterialState<Batch>& state,
                const F& f) const
    {
        if constexpr (sizeof...(Models) == 1) {
            return evaluate(region, lanes, [&](const auto& model) { return f(model, state); });
        } else {
            const auto [changed, result] = evaluate(region, lanes, [&](const auto& model) {
                MaterialState<Batch> own = state;
                const auto ownResult = f(model, own);
                return std::pair(own, ownResult);
            });
            state = changed;
            return result;
        }
    }

    /// f(type) with type a std::type_identity of the model, for what asks for no parameters.
    template <class F>
    auto evaluateType(const std::vector<std::uint8_t>& region, const Lanes& lanes, const F& f) const
    {
        return byModel(region, lanes,
                       [&]<template <class> class M>(Listed<M>) { return f(std::type_identity<M<Batch>>()); });
    }

private:
    template <template <class> class M>
    struct Listed {
    };
    template <template <class> class M>
    using Table = std::vector<M<double>>;  // by region; a region of another model holds any parameters of this one

    template <template <class> class M>
    void fillTable()
    {
        Table<M>& table = std::get<Table<M>>(m_tables);
        const M<double>* any = nullptr;
        for (const Material& material : m_regions)
            if (const auto* own = std::get_if<M<double>>(&material)) any = own;
        if (!any) return;
        M<double> common = *any;
        const auto both = [](auto& a, const auto& b) {
            if constexpr (std::is_same_v<decltype(a), bool&>) a = a && b;
        };
        for (const Material& material : m_regions) {
            const auto* own = std::get_if<M<double>>(&material);
            table.push_back(own ? *own : *any);
            M<double>::zipParameters(both, common, table.back());
        }
        for (M<double>& entry : table) M<double>::zipParameters(both, entry, common);
    }

    /// The parameters of one model for the lanes of a batch.
    template <template <class> class M>
    M<Batch> inLanes(const std::vector<std::uint8_t>& region, const Lanes& lanes) const
    {
        const Table<M>& table = std::get<Table<M>>(m_tables);
        const std::uint8_t first = table.size() == 1 ? 0 : region[lanes.index[0]];
        M<Batch> result;
        const auto setAll = [](auto& to, const auto& from) {
            if constexpr (std::is_same_v<decltype(to), bool&>)
                to = from;
            else
                to = broadcast(static_cast<float>(from));
        };
        M<Batch>::zipParameters(setAll, result, table[first]);
        if (table.size() == 1) return result;
        for (int l = 0; l < batchSize; ++l) {
            const std::uint8_t own = region[lanes.index[l]];
            if (own == first) continue;
            const auto set = [l](auto& to, const auto& from) {
                if constexpr (!std::is_same_v<decltype(to), bool&>) to[l] = static_cast<float>(from);
            };
            M<Batch>::zipParameters(set, result, table[own]);
        }
        return result;
    }

    template <class F>
    auto byModel(const std::vector<std::uint8_t>& region, const Lanes& lanes, const F& f) const
    {
        if constexpr (sizeof...(Models) == 1)
            return (f(Listed<Models>()), ...);
        else
            return selectByModel(region, lanes, f);
    }

    template <class F>
    auto selectByModel(const std::vector<std::uint8_t>& region, const Lanes& lanes, const F& f) const
    {
        BatchMask model;  // of each lane, as its place in the list
        for (int l = 0; l < batchSize; ++l)
            model[l] = static_cast<std::int32_t>(m_regions[region[lanes.index[l]]].index());
        std::common_type_t<decltype(f(Listed<Models>()))...> result;
        bool isFirst = true;
        std::int32_t place = 0;
        const auto take = [&]<template <class> class M>(Listed<M> listed) {
            const BatchMask own = model == BatchMask(place++);
            if (all(~own)) return;
            result = isFirst ? f(listed) : select(own, f(listed), result);
            isFirst = false;
        };
        (take(Listed<Models>()), ...);
        return result;
    }

    std::vector<Material> m_regions;
    std::tuple<Table<Models>...> m_tables;
};

}  // namespace firn
