// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifdef HAVE_OPENCV_MULTIMATCH

// The names that the generated code has for these types.
typedef std::vector<std::vector<int>> vector_vector_int;
typedef std::vector<std::vector<float>> vector_vector_float;
typedef std::vector<multimatch::Observation> vector_Observation;
typedef std::vector<multimatch::PairMatches> vector_PairMatches;
typedef std::vector<multimatch::PairGeometry> vector_PairGeometry;
typedef std::vector<multimatch::CoordinateMatches> vector_CoordinateMatches;
typedef std::vector<multimatch::PairReport> vector_PairReport;
typedef std::vector<multimatch::Tracks> vector_Tracks;
#ifdef OPENCV_MULTIMATCH_IO_HPP // absent where files of other programs are left out
typedef std::vector<multimatch::ViewInfo> vector_ViewInfo;
#endif

#endif
