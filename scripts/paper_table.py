#!/usr/bin/env python3
"""Makes the table of an experiment of the HiPPI paper from the CSV file of multimatch_bench or multimatch_paper_images, prints it and
writes it to a page, between <!-- EXPERIMENT --> and <!-- end of EXPERIMENT -->.

    scripts/paper_table.py images|willow|shapes|scaling FILE.csv OUTPUT.txt PAGE.md

scripts/reproduce_paper.sh calls it. OUTPUT.txt is what the program printed; of images its first line is quoted."""

import csv
import re
import sys

# The paper's printed figures. Willow: table 3, fscore and seconds; "Yan et al." there is Yan2016.
WILLOW = {
    "pairwise": {"car": ".54 (0.4)", "duck": ".48 (0.6)", "face": ".94 (3.2)", "motorbike": ".33 (0.4)", "winebottle": ".62 (1.1)"},
    "spectral": {"car": ".65 (0.4)", "duck": ".66 (0.6)", "face": ".98 (3.3)", "motorbike": ".37 (0.5)", "winebottle": ".82 (1.2)"},
    "matchals": {"car": ".61 (4.2)", "duck": ".62 (3.8)", "face": ".96 (6.3)", "motorbike": ".32 (1.8)", "winebottle": ".77 (4.2)"},
    "quickmatch": {"car": ".24 (0.2)", "duck": ".23 (0.1)", "face": ".90 (0.2)", "motorbike": ".13 (0.2)", "winebottle": ".24 (0.1)"},
    "cao": {"car": ".57 (21.5)", "duck": ".54 (20.5)", "face": ".85 (13.7)", "motorbike": ".32 (31.8)", "winebottle": ".71 (18.0)"},
    "lowrank": {"car": ".71 (2.9)", "duck": ".82 (3.8)", "face": ".96 (4.5)", "motorbike": ".65 (8.2)", "winebottle": ".88 (3.9)"},
    "hippi-literal": {"car": ".74 (0.6)", "duck": ".88 (0.8)", "face": "1.00 (3.4)", "motorbike": ".84 (0.8)",
                      "winebottle": ".95 (1.4)"},
}
IMAGES = {"HiPPI literal": ".92 +- .05", "QuickMatch": ".71 +- .03"}
# Number of multi-matchings.
SHAPES = {("paper", "cat"): 518, ("paper", "centaur"): 551, ("paper", "david"): 515, ("paper", "dog"): 582, ("paper", "horse"): 515,
          ("paper", "michael"): 511, ("paper", "victoria"): 515, ("sparse", "cat"): 88, ("sparse", "centaur"): 51,
          ("sparse", "david"): 136, ("sparse", "dog"): 137, ("sparse", "horse"): 21, ("sparse", "michael"): 83,
          ("sparse", "victoria"): 120}
WHO = {
    "hippi": "ours, default", "HiPPI": "ours, default", "ours": "ours, default", "hippi-literal": "the paper's algorithm",
    "HiPPI literal": "the paper's algorithm", "paper": "the paper's recipe", "cao": "cao (Yan et al. 2016)",
    "alternating": "alternating (Yan et al. 2015)", "randomwalks": "randomwalks (Cho et al. 2010)", "lowrank": "lowrank (Wang et al. 2018)",
    "sparse": "sparse (Cosmo et al. 2017)", "guided": None,
}


def read(path):
    values, sets, methods = {}, [], []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            key = row["set"], row["method"]
            values.setdefault(key, {})[row["metric"]] = float(row["value"])
            if row["set"] not in sets:
                sets.append(row["set"])
            if row["method"] not in methods:
                methods.append(row["method"])
    return values, sets, methods


def name_of(method):
    return WHO.get(method, method)


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def willow(values, sets, methods, _):
    classes = [name.split("/")[1] for name in sets if name.startswith("willow/")]
    rows = []
    ours = None
    for method in methods:
        found = [values.get(("willow/" + name, method)) for name in classes]
        if name_of(method) is None or not all(found):
            continue
        mean = sum(one["fscore"] for one in found) / len(found)
        ours = mean if method == "hippi" else ours
        cells = []
        for name, one in zip(classes, found):
            cells += ["%.3f (%.2f)" % (one["fscore"], one["seconds"]), WILLOW.get(method, {}).get(name, "")]
        rows.append([name_of(method)] + cells + ["%.3f" % mean, "" if method == "hippi" else "%+.3f" % (ours - mean)])
    header = ["fscore (seconds)"]
    for name in classes:
        header += [name, "paper"]
    return table(header + ["mean", "ours ahead by"], rows)


def images(values, sets, methods, output):
    rows = [[name_of(method), "%.3f" % one["precision"], "%.3f" % one["recall"],
             "%.3f +- %.3f" % (one["fscore"], one["fscore-deviation"]), "%.3f" % one["cycle-error"], "%.2f" % one["seconds"],
             IMAGES.get(method, "")]
            for method in methods for one in [values["images", method]]]
    return output.splitlines()[0] + "\n\n" + table(
        ["", "precision", "recall", "fscore", "cycle error", "seconds", "fscore in the paper"], rows)


def shapes(values, sets, methods, _):
    rows = []
    for name in sets:
        for method in methods:
            one = values.get((name, method))
            if one and "mean-error" in one:
                rows.append([name, name_of(method), "%.4f" % one["mean-error"], "%.3f" % one["pck-0.050"],
                             "%.4f" % one["mean-error-up-to-symmetry"], "%.0f" % one["tracks"], "%.0f" % one["tracks-in-all"],
                             "%.1f" % one["seconds"], SHAPES.get((method, name.split("/")[0]), "")])
    return table(["class/protocol", "", "mean error", "PCK .05", "error up to symmetry", "tracks", "in all shapes", "seconds",
                  "tracks in the paper"], rows)


def scaling(values, sets, methods, _):
    sizes = sorted(sets, key=int)
    shown = [size for size in sizes if int(size) in (100, 300, 500, 1000)] or sizes
    last = sizes[-1]
    ours = values[last, "hippi"]["seconds"]
    rows = []
    for method in methods:
        found = [values.get((size, method)) for size in shown]
        if name_of(method) is None or not any(found):
            continue
        at_last = values.get((last, method))
        rows.append([name_of(method)] + ["%.4f" % one["seconds"] if one else "" for one in found] +
                    (["%.1f" % (at_last["seconds"] / ours), "%.3f" % at_last["fscore"]] if at_last else ["", ""]))
    return table(["seconds"] + ["%s points" % size for size in shown] + ["over ours at %s" % last, "fscore at %s" % last], rows)


def main():
    makers = {"images": images, "willow": willow, "shapes": shapes, "scaling": scaling}
    if len(sys.argv) != 5 or sys.argv[1] not in makers:
        sys.exit(__doc__)
    experiment, path, output, page = sys.argv[1:]
    with open(output) as file:
        printed = file.read()
    made = makers[experiment](*read(path), printed)
    print(made)
    with open(page) as file:
        text = file.read()
    block = re.compile(r"(<!-- %s -->\n).*?(<!-- end of %s -->)" % (experiment, experiment), re.S)
    text, count = block.subn(lambda found: found.group(1) + "\n" + made + "\n\n" + found.group(2), text)
    if count != 1:
        sys.exit("paper_table.py: %s has %d blocks <!-- %s -->, expected 1" % (page, count, experiment))
    with open(page, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
