#pragma once
// Connected sets of vertices: union-find with path halving.

#include <numeric>
#include <vector>

namespace firn {

class VertexSets {
public:
    explicit VertexSets(std::size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), 0); }

    /// The vertex that stands for the set of vertex i.
    int find(int i)
    {
        while (m_parent[i] != i) i = m_parent[i] = m_parent[m_parent[i]];
        return i;
    }
    void join(int a, int b) { m_parent[find(a)] = find(b); }

private:
    std::vector<int> m_parent;
};

}  // namespace firn
