// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_UNION_FIND_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_UNION_FIND_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! Disjoint sets of the numbers 0 .. n - 1: union by size, path halving.
class DisjointSets
{
public:
    explicit DisjointSets(int n) : parent_(static_cast<size_t>(n)), size_(static_cast<size_t>(n), 1)
    {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    //! The representative of the set of p.
    int find(int p)
    {
        while (parent_[p] != p)
        {
            parent_[p] = parent_[parent_[p]];
            p = parent_[p];
        }
        return p;
    }

    //! Joins the sets of a and b. Returns the representative of the result.
    int unite(int a, int b)
    {
        a = find(a);
        b = find(b);
        if (a == b)
            return a;
        if (size_[a] < size_[b])
            std::swap(a, b);
        parent_[b] = a;
        size_[a] += size_[b];
        return a;
    }

    int size(int p) { return size_[find(p)]; }

    //! Per number its set, numbered from 0 in the order of their first members.
    std::vector<int> labels()
    {
        std::vector<int> label(parent_.size(), -1), result(parent_.size());
        int count = 0;
        for (int p = 0; p < static_cast<int>(parent_.size()); ++p)
        {
            int& l = label[find(p)];
            if (l < 0)
                l = count++;
            result[p] = l;
        }
        return result;
    }

private:
    std::vector<int> parent_;
    std::vector<int> size_;
};

/** Disjoint sets of points in which no set holds two points of one view.

A set's views are a sorted list, kept only where there is more than one; joins look the shorter list
up in the longer one. */
class ViewExclusiveUnionFind
{
public:
    //! viewOfPoint: per point its view, see viewOfPoints().
    explicit ViewExclusiveUnionFind(const std::vector<int>& viewOfPoint)
        : sets_(static_cast<int>(viewOfPoint.size())), viewOf_(viewOfPoint),
          views_(viewOfPoint.size())
    {
    }

    int find(int p) { return sets_.find(p); }

    /** Joins the sets of a and b unless they share a view. Returns the representative of the
    result, -1: refused. */
    int unite(int a, int b)
    {
        a = sets_.find(a);
        b = sets_.find(b);
        if (!apart(a, b))
            return -1;
        const int *beginA, *endA, *beginB, *endB;
        views(a, beginA, endA);
        views(b, beginB, endB);
        std::vector<int> merged(static_cast<size_t>((endA - beginA) + (endB - beginB)));
        std::merge(beginA, endA, beginB, endB, merged.begin());
        std::vector<int>().swap(views_[a]);
        std::vector<int>().swap(views_[b]);
        const int root = sets_.unite(a, b);
        views_[root].swap(merged);
        return root;
    }

    int size(int p) { return sets_.size(p); }
    std::vector<int> labels() { return sets_.labels(); }

private:
    //! No view has points in the sets of both representatives.
    bool apart(int a, int b) const
    {
        if (a == b)
            return false;
        const int *beginA, *endA, *beginB, *endB;
        views(a, beginA, endA);
        views(b, beginB, endB);
        if (endA - beginA > endB - beginB)
        {
            std::swap(beginA, beginB);
            std::swap(endA, endB);
        }
        for (; beginA != endA; ++beginA)
        {
            beginB = std::lower_bound(beginB, endB, *beginA);
            if (beginB == endB)
                return true;
            if (*beginB == *beginA)
                return false;
        }
        return true;
    }

    //! The views of the set represented by root.
    void views(int root, const int*& begin, const int*& end) const
    {
        const std::vector<int>& list = views_[root];
        begin = list.empty() ? &viewOf_[root] : list.data();
        end = list.empty() ? begin + 1 : begin + list.size();
    }

    DisjointSets sets_;
    std::vector<int> viewOf_;
    std::vector<std::vector<int>> views_; //!< per representative, empty: only its own
};

}} // namespace cv::multimatch

#endif
