// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_POWER_EVIDENCE_STEP_HPP
#define OPENCV_MULTIMATCH_SRC_POWER_EVIDENCE_STEP_HPP

#include "../evidence/candidates.hpp"
#include "../evidence/given_matches.hpp"
#include "../evidence/place.hpp"
#include "iteration.hpp"
#include "log_odds_tracks.hpp"

namespace cv { namespace multimatch {

//! What the log-odds are made from. The input and what the pointers name must outlive the step.
struct EvidenceProblem
{
    const MultiMatcher::Input& input;
    EvidenceParams params;
    const NeighborGraph* graph;         //!< neighbors by descriptors; NULL: matches are given
    int neighbors;                      //!< per point and view in the graph
    const CsrMatrix* given;             //!< scores of given matches where there is no graph
    float mu;                           //!< scale of the adjacency
    const VerificationParams* geometry; //!< of the pairs of views; NULL: not estimated
    std::vector<Mat> cameras;           //!< for essential matrices
    int lineCandidates;                 //!< per point and view, searched along the geometry
    bool reuse; //!< keep local maps whose tracks have not changed; false: for tests

    explicit EvidenceProblem(const MultiMatcher::Input& matcherInput)
        : input(matcherInput), graph(NULL), neighbors(0), given(NULL), mu(10), geometry(NULL),
          lineCandidates(0), reuse(true)
    {
    }
};

/** The power step for partial data: V = L(U) U, L(U) the log-odds that two points are the same
 * physical point given the tracks U. */
class EvidenceStep : public PowerStep
{
public:
    EvidenceStep(const EvidenceProblem& problem, RunControl& control);

    //! Lets the witnesses learn from these labels, computes L and returns F(U; L).
    double evaluate(const std::vector<int>& labels) CV_OVERRIDE;
    //! One sweep of projections at fixed L.
    std::vector<int> project() CV_OVERRIDE;

    //! Per point the probability that it belongs to its track. extended: tracks also get points
    //! that lower the objective.
    std::vector<float> confidence(std::vector<int>& labels, bool extended);

    //! From now on the geometry of pairs of views is evidence too.
    void useGeometry() { geometryInUse_ = true; }
    //! The candidate pairs and their log-odds, as evaluated last.
    const evidence::Candidates& candidates() const { return *candidates_; }
    //! Log-odds of a pair that is no candidate.
    float missing() const
    {
        return given_ ? given_->missing() : memberCost_ - problem_.params.maxLogOdds;
    }
    //! See learnMemberCost().
    float memberCost() const { return memberCost_; }
    //! The geometry of the compared pairs of views, as used last.
    const std::vector<PairGeometry>& geometries() const { return geometries_; }

private:
    class Evaluation;

    void start();
    void learn();
    void learnFromPairs();
    void learnMemberCost(const std::vector<evidence::LabeledPair>& sample);
    void estimateLines();
    void findCandidates();
    //! Per point the median log-ratio of its place over the other members of its track, not
    //! limited; NaN: not known.
    std::vector<float> placeOfMembers(const std::vector<int>& labels) const;
    void weighByPlace(const std::vector<int>& labels, std::vector<float>& confidence) const;
    LogOddsTracks tracks() const
    {
        return LogOddsTracks(views_, candidates_->pairs(), candidates_->logOdds(), missing(),
                             problem_.params.trackCost, memberCost_, labels_);
    }
    float sumOfWitnesses(const evidence::CandidatePair& pair, size_t first) const;
    float logOdds(const evidence::CandidatePair& pair) const;

    const EvidenceProblem problem_;
    RunControl& control_;
    const evidence::Views views_;
    Ptr<evidence::Overlap> overlap_;
    Ptr<evidence::Appearance> appearance_; //!< one of these two
    Ptr<evidence::GivenMatches> given_;    //!< is there
    Ptr<evidence::Positions> positions_;   //!< NULL: not known
    Ptr<evidence::LocalMaps> maps_;        //!< likewise
    Ptr<evidence::PairLines> lines_;       //!< NULL: not used
    std::vector<Ptr<evidence::Witness>> witnesses_;
    Ptr<evidence::Witness> place_; //!< one of them; NULL: not used
    Ptr<evidence::Candidates> candidates_;
    std::vector<PairGeometry> geometries_;
    Ptr<TrackTable> start_; //!< tracks of the start, proposed again in every round
    std::vector<int> labels_;
    Ptr<TrackTable> table_;     //!< of labels_
    Ptr<LogOddsTracks> tracks_; //!< from labels_ on, at the present log-odds
    float memberCost_;          //!< see learnMemberCost()
    int round_;
    bool geometryInUse_;
};

}} // namespace cv::multimatch

#endif
