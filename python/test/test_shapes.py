"""cv2_multimatch.shapes: NumPy arrays in, NumPy arrays out."""

import cv2
import numpy as np
import pytest

import cv2_multimatch

shapes = pytest.importorskip("cv2_multimatch._native").__dict__.get("shapes")
if shapes is None:
    pytest.skip("built without Spectra", allow_module_level=True)


def small_params():
    params = shapes.ShapeMatchParams()
    params.points, params.eigenpairs = 120, 80
    alignment = params.alignment
    alignment.lastSize = 50
    params.alignment = alignment
    return params


def test_matches_shapes():
    meshes = [shapes.exampleShape(pose, 3) for pose in range(3)]
    stages = set()
    tracks, points = shapes.matchShapes(meshes, small_params(), lambda progress: stages.add(progress.stage))
    assert isinstance(tracks, cv2_multimatch.Tracks) and tracks.viewCount() == 3
    assert {"shapes", "alignment", "iterations"} <= stages
    assert [len(p) for p in points] == [120, 120, 120]
    errors = []
    vertices, faces = meshes[1]
    scale = np.sqrt(sum(np.linalg.norm(np.cross(vertices[f[1]] - vertices[f[0]], vertices[f[2]] - vertices[f[0]])) / 2
                        for f in faces))
    distances = shapes.geodesicDistances(vertices, faces, points[1])
    for match in tracks.matches(0, 1):
        errors.append(distances[match.trainIdx, points[0][match.queryIdx]] / scale)
    assert len(errors) > 80 and np.mean(errors) < 0.07


def test_stops():
    meshes = [shapes.exampleShape(pose, 2) for pose in range(2)]
    tracks, _ = shapes.matchShapes(meshes, small_params(), lambda progress: False)
    assert tracks.report().cancelled


def test_functions_of_a_mesh(tmp_path):
    vertices, faces = shapes.exampleShape(1, 2)
    assert vertices.dtype == np.float64 and faces.dtype == np.int32
    values, functions, mass = shapes.laplaceSpectrum(vertices, faces, 12)
    assert np.allclose(functions.T @ (mass * functions), np.eye(12), atol=1e-8)
    assert shapes.waveKernelSignature(values, functions, 20).shape == (len(vertices), 20)
    assert shapes.heatKernelSignature(values, functions, [0.1, 1.0]).shape == (len(vertices), 2)
    points = shapes.farthestPoints(vertices, faces, 9)
    assert len(set(points)) == 9
    turned = faces.copy()
    turned[::2] = turned[::2, ::-1]
    assert np.array_equal(np.sort(shapes.orientFaces(vertices, turned)), np.sort(faces))
    name = str(tmp_path / "mesh.ply")
    shapes.writeMesh(name, vertices, faces, np.zeros((len(vertices), 3), np.uint8))
    again, again_faces = shapes.readMesh(name)
    assert np.allclose(again, vertices, atol=1e-7) and np.array_equal(again_faces, faces)


@pytest.mark.parametrize("vertices, faces, message", [
    (np.zeros((4, 2)), np.zeros((1, 3), int), "expected n x 3"),
    (np.zeros((4, 3)), np.array([[0, 1, 9]]), "has the vertex 9"),
    (np.zeros((4, 3)), np.zeros((1, 3)), "not an array of int32"),
    (np.zeros((4, 3)), np.zeros((0, 3), int), "no faces"),
])
def test_bad_meshes_get_a_sentence(vertices, faces, message):
    with pytest.raises(cv2.error, match=message):
        shapes.checkMesh(vertices, faces)
