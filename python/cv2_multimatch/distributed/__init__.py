"""Tracks of collections that are larger than one machine, by the scheduler of dask.distributed.

    python3 -m cv2_multimatch.distributed --images=photos --local=2 --work=work --output=tracks.yml.gz

graph.py     the graph of tasks and its order
tasks.py     what one task computes on a worker
features.py  key points and descriptors of an image, and their format
clusters.py  which views are matched together, and in which order clusters are merged
state.py     results on the shared folder
outputs.py   files of the result
costs.py     memory and time of the tasks
simulation.py  the same graph with sleeps in place of the tasks
"""
