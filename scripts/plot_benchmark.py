#!/usr/bin/env python3
"""Draws plots from the CSV file of multimatch_bench.

    build/bin/multimatch_bench accuracy --data DIR --csv accuracy.csv
    scripts/plot_benchmark.py accuracy.csv plots

The columns of the file are suite,set,method,metric,value. Written are, where the file has their rows:
  fscore-FAMILY.png     F-score of each method on each set of a family
  precision-SET.png     precision against correct pairs as the confidence threshold of HiPPI moves; other methods as points
  reliability.png       share of correct memberships by confidence of HiPPI
  pck-CLASS.png         share of matches below an error, direct and up to symmetry (multimatch_bench shapes)
  scale.png             seconds and memory against the number of key points (multimatch_bench scale)
  objects.png           seconds against the number of points (multimatch_bench objects)
Needs matplotlib, which scripts/install_packages.sh installs for /usr/bin/python3."""

import argparse
import csv
import os
import sys

COLUMNS = ["suite", "set", "method", "metric", "value"]
LEAST_MEMBERSHIPS = 20  # the share of correct ones among fewer memberships is chance


class Table:
    """Values of one suite by set, method and metric, in the order of the file."""

    def __init__(self):
        self.values = {}
        self.sets = []
        self.methods = []

    def add(self, name, method, metric, value):
        if name not in self.sets:
            self.sets.append(name)
        if method not in self.methods:
            self.methods.append(method)
        self.values[name, method, metric] = value

    def get(self, name, method, metric):
        return self.values.get((name, method, metric))

    def series(self, name, method, prefix):
        """Values of all metrics that begin with the prefix, by the number that follows it."""
        return {float(metric[len(prefix):]): value for (n, m, metric), value in self.values.items()
                if n == name and m == method and metric.startswith(prefix)}


def read_tables(path):
    """Reads the file; returns a table for each suite. Raises ValueError with the line that is wrong."""
    tables = {}
    with open(path, newline="") as file:
        reader = csv.reader(file)
        header = next(reader, None)
        if header != COLUMNS:
            raise ValueError("%s, line 1: expected %s, found %s" % (path, ",".join(COLUMNS), ",".join(header or [])))
        for row in reader:
            where = "%s, line %d" % (path, reader.line_num)
            if len(row) != len(COLUMNS):
                raise ValueError("%s: expected %d columns, found %d" % (where, len(COLUMNS), len(row)))
            suite, name, method, metric, value = row
            try:
                number = float(value)
            except ValueError:
                raise ValueError("%s: expected a number as value, found %s" % (where, value)) from None
            tables.setdefault(suite, Table()).add(name, method, metric, number)
    if not tables:
        raise ValueError("%s has no rows" % path)
    return tables


def family_of(name):
    return name.rpartition("/")[0] or name


class Plotter:
    """Draws figures and writes each to a separate file."""

    def __init__(self, folder, extension):
        import matplotlib
        matplotlib.use("Agg")  # no display is needed
        from matplotlib import pyplot
        self.pyplot = pyplot
        self.folder = folder
        self.extension = extension
        self.written = []

    def axes(self, title, x_label, y_label, width=9.0, columns=1):
        figure, axes = self.pyplot.subplots(1, columns, figsize=(width, 5.4), squeeze=False)
        for one in axes[0]:
            one.set_xlabel(x_label)
            one.set_ylabel(y_label)
            one.grid(color="0.9")
            one.set_axisbelow(True)
        figure.suptitle(title)
        return figure, axes[0]

    def color(self, index):
        return "C%d" % (index % 10)

    def save(self, figure, name):
        path = os.path.join(self.folder, name.replace("/", "-") + "." + self.extension)
        figure.tight_layout()
        figure.savefig(path, dpi=110)
        self.pyplot.close(figure)
        self.written.append(path)

    def fscores(self, table):
        families = {}
        for name in table.sets:
            if any(table.get(name, method, "fscore") is not None for method in table.methods):
                families.setdefault(family_of(name), []).append(name)
        for family, names in families.items():
            methods = [method for method in table.methods
                       if any(table.get(name, method, "fscore") is not None for name in names)]
            bar = 0.8 / len(methods)
            width = max(6.0, 3.0 + 0.16 * len(names) * (len(methods) + 2))
            figure, (axes,) = self.axes("F-score, " + family, "", "F-score", width)
            for m, method in enumerate(methods):
                scores = [(n, table.get(name, method, "fscore")) for n, name in enumerate(names)]
                scores = [(n, score) for n, score in scores if score is not None]
                axes.bar([n + (m - (len(methods) - 1) / 2) * bar for n, _ in scores], [score for _, score in scores],
                         0.9 * bar, label=method, color=self.color(m))
            axes.set_xticks(range(len(names)))
            axes.set_xticklabels([name[len(family) + 1:] or name for name in names], rotation=20, ha="right")
            axes.set_ylim(0, 1.02)
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
            self.save(figure, "fscore-" + family)

    def precision(self, table):
        for name in table.sets:
            curves = [(method, table.series(name, method, "curve-correct-pairs-"),
                       table.series(name, method, "curve-precision-")) for method in table.methods]
            curves = [curve for curve in curves if curve[1]]
            if not curves:
                continue
            figure, (axes,) = self.axes(name + ": precision at thresholds of the confidence", "correct pairs", "precision")
            for m, (method, pairs, precision) in enumerate(curves):
                thresholds = sorted(set(pairs) & set(precision))
                axes.plot([pairs[t] for t in thresholds], [precision[t] for t in thresholds], ".-", label=method,
                          color=self.color(m))
            drawn = len(curves)
            with_curve = {method for method, _, _ in curves}
            for method in table.methods:
                x, y = table.get(name, method, "correct-pairs"), table.get(name, method, "pair-precision")
                if method in with_curve or x is None or y is None:
                    continue
                axes.plot([x], [y], "osD^v"[drawn // 10 % 5], markersize=8, label=method, color=self.color(drawn))
                drawn += 1
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
            self.save(figure, "precision-" + name)

    def reliability(self, table):
        figure, (axes,) = self.axes("Share of correct memberships by confidence", "confidence", "share correct")
        drawn = 0
        for name in table.sets:
            for method in table.methods:
                count = table.series(name, method, "reliability-count-")
                confidence = table.series(name, method, "reliability-confidence-")
                correct = table.series(name, method, "reliability-correct-")
                bins = sorted(b for b in count if count[b] >= LEAST_MEMBERSHIPS and b in confidence and b in correct)
                if not bins:
                    continue
                axes.plot([confidence[b] for b in bins], [correct[b] for b in bins], ".-", label=name,
                          color=self.color(drawn))
                drawn += 1
        if drawn:
            axes.plot([0, 1], [0, 1], "--", color="0.5", label="ideal")
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
            self.save(figure, "reliability")
        else:
            self.pyplot.close(figure)

    def scale(self, table):
        sizes = sorted((int(name), name) for name in table.sets if name.isdigit())
        if not sizes:
            return
        figure, axes = self.axes("Cost over the number of key points", "key points", "", 11.0, 2)
        for one, metric, label, unit in ((axes[0], "seconds", "seconds", 1),
                                         (axes[1], "peak-rss-bytes", "peak memory, GB", 1e9)):
            for m, method in enumerate(table.methods):
                points = [(n, table.get(name, method, metric)) for n, name in sizes]
                points = [(n, value / unit) for n, value in points if value is not None]
                if points:
                    one.loglog([n for n, _ in points], [value for _, value in points], "o-", label=method,
                               color=self.color(m))
            one.set_ylabel(label)
            one.legend()
        self.save(figure, "scale")

    def objects(self, table):
        sizes = sorted((int(name), name) for name in table.sets if name.isdigit())
        figure, (axes,) = self.axes("Objects of 20 points each", "points of all objects", "seconds", 8.0)
        for m, method in enumerate(table.methods):
            points = [(n, table.get(name, method, "seconds")) for n, name in sizes]
            points = [(n, value) for n, value in points if value is not None]
            axes.semilogy([n for n, _ in points], [value for _, value in points], ("o-", "s--")[m // 10 % 2], label=method,
                          color=self.color(m))
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        self.save(figure, "objects")

    def pck(self, table):
        for name in table.sets:
            curves = [(method, table.series(name, method, "pck-"), table.series(name, method, "symmetric-pck-"))
                      for method in table.methods]
            curves = [curve for curve in curves if curve[1]]
            if not curves:
                continue
            figure, axes = self.axes(name + ": share of matches below an error", "error / sqrt(area)", "share of matches",
                                     11.0, 2)
            for one, title, which in ((axes[0], "direct", 1), (axes[1], "up to symmetry", 2)):
                one.set_title(title)
                one.set_ylim(0, 1.02)
                for m, curve in enumerate(curves):
                    errors = sorted(curve[which])
                    one.plot(errors, [curve[which][e] for e in errors], "-", label=curve[0], color=self.color(m))
            axes[1].legend(loc="lower right")
            self.save(figure, "pck-" + name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", help="file that multimatch_bench wrote with --csv")
    parser.add_argument("folder", help="folder for the plots; it is created if it does not exist")
    parser.add_argument("--format", default="png", choices=["png", "svg", "pdf"], help="type of the files (default: png)")
    arguments = parser.parse_args()
    try:
        tables = read_tables(arguments.csv)
        os.makedirs(arguments.folder, exist_ok=True)
        plotter = Plotter(arguments.folder, arguments.format)
        if "accuracy" in tables:
            plotter.fscores(tables["accuracy"])
            plotter.precision(tables["accuracy"])
            plotter.reliability(tables["accuracy"])
        if "scale" in tables:
            plotter.scale(tables["scale"])
        if "objects" in tables:
            plotter.objects(tables["objects"])
        if "shapes" in tables:
            plotter.pck(tables["shapes"])
    except ImportError:
        sys.exit("plot_benchmark.py: %s has no matplotlib; scripts/install_packages.sh installs it for /usr/bin/python3"
                 % sys.executable)
    except (OSError, ValueError) as error:
        sys.exit("plot_benchmark.py: %s" % error)
    if not plotter.written:
        sys.exit("plot_benchmark.py: %s has no rows to plot; expected the suite accuracy, objects, scale or shapes, found %s"
                 % (arguments.csv, ", ".join(tables)))
    for path in plotter.written:
        print("wrote " + path)


if __name__ == "__main__":
    main()
