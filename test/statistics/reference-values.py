"""Writes reference-values.json: results of scipy, statsmodels and mpmath with which the statistics of core are compared.

Run it with Python 3 and scipy 1.10, statsmodels 0.13 and mpmath 1.2, the packages python3-scipy, python3-statsmodels and
python3-mpmath of Debian 12:

    python3 test/statistics/reference-values.py

Each case is [kind, input, expected]. Samples come from generators with fixed seeds, so the output does not change.
"""
import json
import pathlib

import mpmath as mp
import numpy as np
import statsmodels.api as sm
from scipy import integrate, optimize, special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW
from statsmodels.tools.numdiff import approx_fprime_cs

mp.mp.dps = 40
rng = np.random.default_rng(20261123)
cases = []


def add(kind, given, expected):
    cases.append([kind, given, expected])


def sample(size, shape, mean, spread):
    """Draws values: normal, skewed like revenue, counts, or 0 and 1."""
    if shape == "normal":
        return rng.normal(mean, spread, size)
    if shape == "revenue":
        return np.where(rng.random(size) < 0.2, rng.lognormal(np.log(abs(mean) + 0.1), spread, size), 0.0)
    if shape == "counts":
        return rng.poisson(abs(mean), size).astype(float)
    return (rng.random(size) < mean).astype(float)


def rounded(values):
    """Values of 9 significant digits keep the file small; both sides use the rounded ones."""
    return np.array([float(f"{value:.9g}") for value in values])


def estimate(values):
    return {"units": len(values), "value": float(np.mean(values)), "standardError": float(stats.sem(values))}


def delta_error(function, params, cov):
    """Standard error of a function of estimates, with the numeric gradient of statsmodels."""
    gradient = np.ravel(approx_fprime_cs(np.asarray(params, dtype=float), function))
    return float(np.sqrt(gradient @ cov @ gradient))


def delta_relative(control, treatment, factor):
    """Interval of the relative difference by the delta method."""
    cov = np.diag([control["standardError"] ** 2, treatment["standardError"] ** 2])
    half = factor * delta_error(lambda p: p[1] / p[0] - 1, [control["value"], treatment["value"]], cov)
    center = treatment["value"] / control["value"] - 1
    return [center, center - half, center + half]


def t_two_sided(t, freedom):
    """Precise where scipy is not: far in the tail, and with many degrees of freedom."""
    f = mp.mpf(float(freedom))
    constant = mp.exp(mp.loggamma((f + 1) / 2) - mp.loggamma(f / 2)) / mp.sqrt(f * mp.pi)
    density = lambda x: constant * (1 + x**2 / f) ** (-(f + 1) / 2)
    t = mp.mpf(t)
    return 1 - 2 * mp.quad(density, [0, t / 2, t]) if t < 3 else 2 * mp.quad(density, [t, t + 1, t + 4, t + 20, mp.inf])


def t_quantile(level, freedom):
    """Two steps of Newton's method from the quantile of scipy, which has about 8 digits."""
    t = mp.mpf(float(stats.t.isf(level / 2, freedom)))
    for _ in range(2):
        t += (t_two_sided(t, freedom) - level) / (2 * mp.mpf(float(stats.t.pdf(float(t), freedom))))
    return float(t)


# Welch's t test of samples: scipy for the p value, statsmodels for error and degrees of freedom.
shapes = [("normal", 10, 3), ("normal", -4, 0.5), ("revenue", 20, 1.2), ("counts", 3, 0)]
for size in (2, 3, 5, 12, 40):
    for shape, mean, spread in shapes:
        for level in (0.05, 0.01):
            a, b = rounded(sample(size, shape, mean, spread)), rounded(sample(size + 3, shape, mean * 1.1, spread))
            if np.var(a) == 0 or np.mean(a) <= 0:
                a = rounded(rng.normal(10, 3, size))
            means = CompareMeans(DescrStatsW(b), DescrStatsW(a))
            p = stats.ttest_ind(b, a, equal_var=False).pvalue
            factor = t_quantile(level, means.dof_satt())
            difference, half = means.d1.mean - means.d2.mean, factor * means.std_meandiff_separatevar
            add("welch", {"control": list(a), "treatment": list(b), "level": level},
                {"pValue": p, "difference": [difference, difference - half, difference + half],
                 "relativeDifference": delta_relative(estimate(a), estimate(b), factor)})


# Extreme comparisons from estimates.
for units in (2, 10, 1_000, 10**6, 10**8):
    for ratio in (1, 9):
        for z in (0.0, 0.3, 1.96, 5.0, 12.0):
            control = {"units": units, "value": 5.0, "standardError": 1.0}
            treatment = {"units": units * ratio, "value": 5.0 + z * (1 + 0.25) ** 0.5, "standardError": 0.5}
            va, vb = 1.0, 0.25
            freedom = (va + vb) ** 2 / (va**2 / (units - 1) + vb**2 / (units * ratio - 1))
            difference = treatment["value"] - control["value"]
            t = difference / np.sqrt(va + vb)
            factor = t_quantile(0.05, freedom)
            half = factor * np.sqrt(va + vb)
            add("welchOfEstimates", {"control": control, "treatment": treatment},
                {"pValue": float(t_two_sided(t, freedom)), "difference": [difference, difference - half, difference + half],
                 "relativeDifference": delta_relative(control, treatment, factor)})

# Ratio metrics: from the values of each unit, by the delta method.
for size in (2, 5, 30, 200):
    for shape in ("counts", "revenue", "binary"):
        for _ in range(3):
            denominator = 1.0 + rng.poisson(4, size)
            values = rounded(rng.binomial(denominator.astype(int), 0.3) if shape == "binary"
                             else sample(size, shape, 6, 0.8) * denominator)
            pair = np.column_stack([values, denominator])
            mean = pair.mean(axis=0)
            error = delta_error(lambda p: p[0] / p[1], mean, np.cov(pair.T, ddof=1) / size)
            add("ratio", {"values": list(values), "denominators": list(denominator)},
                {"value": mean[0] / mean[1], "standardError": error})

# CUPED: the difference from an analysis of covariance, and the error of the adjusted values.
for size in (3, 8, 40):
    for variations in (2, 3):
        for slope in (0.0, 0.7, -1.5):
            arms = []
            for arm in range(variations):
                pre = rounded(rng.normal(8, 2, size + arm))
                arms.append((rounded(slope * pre + rng.normal(5 + 0.5 * arm, 1, size + arm)), pre))
            y = np.concatenate([values for values, _ in arms])
            x = np.concatenate([pre for _, pre in arms])
            label = np.concatenate([np.full(len(values), i) for i, (values, _) in enumerate(arms)])
            design = np.column_stack([np.ones(len(y)), x] + [label == i for i in range(1, variations)])
            fit = sm.OLS(y, design.astype(float)).fit()
            errors = [float(stats.sem(values - fit.params[1] * pre)) for values, pre in arms]
            add("cuped", {"variations": [{"values": list(v), "pre": list(p)} for v, p in arms]},
                {"differences": list(fit.params[2:]), "standardErrors": errors})

# Strata: the estimator of Mantel and Haenszel for differences of risks.
for strata in (1, 2, 4):
    for _ in range(4):
        tables = []
        for i in range(strata):
            n0, n1 = int(rng.integers(50, 5_000)), int(rng.integers(20, 2_000))
            tables.append((int(rng.binomial(n0, 0.1 + 0.1 * i)), n0, int(rng.binomial(n1, 0.12 + 0.1 * i)), n1))
        weights = [n0 * n1 / (n0 + n1) for _, n0, _, n1 in tables]
        difference = sum((b * n0 - a * n1) / (n0 + n1) for a, n0, b, n1 in tables) / sum(weights)
        variance = sum((w / sum(weights)) ** 2 * (a / n0 * (1 - a / n0) / (n0 - 1) + b / n1 * (1 - b / n1) / (n1 - 1))
                       for w, (a, n0, b, n1) in zip(weights, tables))
        add("strata", {"tables": tables}, {"difference": difference, "standardError": float(np.sqrt(variance))})

# Ranks of percentiles: from the binomial distribution.
for units in (5, 6, 10, 73, 100, 1_000, 123_456):
    for share in (0.5, 0.75, 0.95, 0.99):
        for level in (0.05, 0.01):
            ranks = np.arange(-1, units + 1) if units < 10_000 else np.arange(
                int(units * share - 2_000), min(units, int(units * share + 2_000)) + 1)
            below = stats.binom.cdf(ranks, units, share)
            lower = int(ranks[below <= level / 2][-1]) + 1
            upper = int(ranks[below >= 1 - level / 2][0]) + 1
            add("ranks", {"units": units, "share": share, "level": level},
                {"lower": lower, "upper": upper} if lower > 0 and upper <= units else None)

# Sequential test: the mixture likelihood ratio by numeric integration, and the interval by solving for its ends.
for units in (100, 2_500, 10**6):
    for z in (0.0, 1.0, 2.5, 4.0, 7.0):
        for level, tuning in ((0.05, 5_000), (0.01, 200)):
            rho2 = (-2 * np.log(level) + np.log(-2 * np.log(level) + 1)) / tuning
            total = 2.0 * units

            def log_ratio(score):
                # The likelihood ratio of a mean with variance 1 / total, averaged over means with variance rho2.
                exponent = lambda m: m * score * np.sqrt(total) - m**2 * total / 2 - m**2 / (2 * rho2)
                peak, width = score * np.sqrt(total) / (total + 1 / rho2), 1 / np.sqrt(total + 1 / rho2)
                area = integrate.quad(lambda k: np.exp(exponent(peak + k * width) - exponent(peak)), -12, 12,
                                      epsabs=1e-14, epsrel=1e-13)[0]
                return exponent(peak) + np.log(area * width / np.sqrt(2 * np.pi * rho2))

            factor = optimize.brentq(lambda score: log_ratio(score) + np.log(level), 0.1, 60, xtol=1e-14, rtol=1e-14)
            add("sequential", {"units": units, "z": z, "level": level, "tuningUnits": tuning},
                {"pValue": min(1.0, float(np.exp(-log_ratio(z)))), "halfWidth": factor * 0.2})

# Bayesian comparison of means: the normal distribution of scipy, and the loss by integration.
for difference, ea, eb in ((0, 1, 1), (0.5, 1, 0.5), (-2, 0.3, 0.4), (3, 0.1, 0.5), (1e-6, 1e-5, 1e-5), (1e6, 4e5, 1e5)):
    for direction in ("increase", "decrease"):
        error = mp.sqrt(mp.mpf(ea) ** 2 + mp.mpf(eb) ** 2)
        gain = mp.mpf(difference) if direction == "increase" else -mp.mpf(difference)
        loss = mp.quad(lambda x: -x * mp.npdf(x, gain, error), [-mp.inf, min(0, gain), 0] if gain < 0 else [gain - 40 * error, gain - 9 * error, 0])
        half = float(stats.norm.isf(0.025)) * float(error)
        add("bayesianMeans", {"control": {"units": 50, "value": 2, "standardError": ea},
                              "treatment": {"units": 60, "value": 2 + difference, "standardError": eb}, "direction": direction},
            {"probability": float(mp.ncdf(gain / error)), "loss": float(loss),
             "difference": [2 + difference - 2, 2 + difference - 2 - half, 2 + difference - 2 + half]})


def beta_pdf(a, b):
    return lambda x: np.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b))


def integral(f, points):
    return sum(integrate.quad(f, u, v, epsabs=1e-15, epsrel=1e-13, limit=200)[0] for u, v in zip(points, points[1:]))


def beats(aa, ba, ab, bb):
    """Probability that B beats A, by the sum of Evan Miller, "Formulas for Bayesian A/B testing", equation 6."""
    total = mp.mpf(0)
    for i in range(int(ab)):
        total += mp.exp(mp.loggamma(aa + i) + mp.loggamma(ba + bb) - mp.loggamma(aa + i + ba + bb)
                        - mp.log(bb + i) - (mp.loggamma(1 + i) + mp.loggamma(bb) - mp.loggamma(1 + i + bb))
                        - (mp.loggamma(aa) + mp.loggamma(ba) - mp.loggamma(aa + ba)))
    return total


def loss_of_b(aa, ba, ab, bb):
    """Expected loss of choosing B, E[max(A - B, 0)] (Stucchio 2015, "Bayesian A/B testing at VWO", section 5)."""
    first = mp.mpf(aa) / (aa + ba) * (1 - beats(aa + 1, ba, ab, bb))
    return first - mp.mpf(ab) / (ab + bb) * (1 - beats(aa, ba, ab + 1, bb))


# Bayesian comparison of proportions: closed forms, and quantiles of the difference by scipy.
tables = [(0, 10, 0, 10), (0, 50, 3, 50), (1, 2, 1, 2), (5, 100, 9, 100), (10, 10, 9, 10), (120, 200, 100, 200),
          (30, 1_000, 45, 1_000), (200, 4_000, 260, 4_100), (1_000, 50_000, 1_100, 50_000)]
for sa, na, sb, nb in tables:
    aa, ba, ab, bb = sa + 1, na - sa + 1, sb + 1, nb - sb + 1
    moments = lambda a, b: (a / (a + b), np.sqrt(a * b / (a + b + 1)) / (a + b))
    (ma, ea), (mb, eb) = moments(aa, ba), moments(ab, bb)
    density = beta_pdf(aa, ba)
    low, high = max(0, ma - 12 * ea), min(1, ma + 40 * ea)

    def below(shift, scale=1.0):
        """Probability that B is below A times scale plus shift."""
        f = lambda x: density(x) * special.betainc(ab, bb, min(max(x * scale + shift, 0), 1))
        inner = {m + k * e for m, e in ((ma, ea), ((mb - shift) / scale, eb / scale)) for k in (-8, -3, 0, 3, 8)}
        return integral(f, [low, *sorted(p for p in inner if low < p < high), high])

    quantiles = [optimize.brentq(lambda d: below(d) - q, -1 + 1e-12, 1 - 1e-12, xtol=1e-13, rtol=1e-12) for q in (0.025, 0.975)]
    ratios = [optimize.brentq(lambda r: below(0, r) - q, 1e-6, 1e4, xtol=1e-13, rtol=1e-12) - 1 for q in (0.025, 0.975)]
    add("bayesianProportions", {"control": [sa, na], "treatment": [sb, nb]},
        {"probability": float(beats(aa, ba, ab, bb)), "loss": float(loss_of_b(aa, ba, ab, bb)),
         "difference": [mb - ma, *quantiles], "relativeDifference": [mb / ma - 1, *ratios]})

# The best of several variations: integrals by scipy.
groups = [[(0, 1), (0, 1), (0, 1)], [(0, 1), (0.5, 0.2), (1, 2)], [(10, 0.01), (10.02, 0.02), (9.9, 0.5), (10.01, 0.001)],
          [(0, 1), (4, 1), (-3, 2), (1, 0.1), (2, 0.5)], [(1e6, 1e3), (1.001e6, 2e3), (0.999e6, 500)]]
for group in groups:
    for direction in ("increase", "decrease"):
        arms = [(m if direction == "increase" else -m, e) for m, e in group]
        points = sorted({m + k * e for m, e in arms for k in (-12, -8, -5, -3, -1, 0, 1, 3, 5, 8, 12)})
        probabilities, losses = [], []
        for i, (m, e) in enumerate(arms):
            others = lambda x: np.prod([special.ndtr((x - m2) / e2) for j, (m2, e2) in enumerate(arms) if j != i])
            density = lambda x: np.exp(-(((x - m) / e) ** 2) / 2) / (e * np.sqrt(2 * np.pi))
            probabilities.append(integral(lambda x: density(x) * others(x), points))
            losses.append(integral(lambda x: special.ndtr((x - m) / e) * (1 - others(x)), points))
        add("bestOfMeans", {"arms": group, "direction": direction}, {"probabilities": probabilities, "losses": losses})

for group in ([(10, 100), (12, 100), (15, 100)], [(0, 20), (1, 20), (2, 20), (3, 20)], [(500, 9_000), (560, 9_000), (555, 9_000)]):
    arms = [(s + 1, n - s + 1) for s, n in group]
    points = sorted({min(max(a / (a + b) + k * np.sqrt(a * b / (a + b + 1)) / (a + b), 0), 1)
                     for a, b in arms for k in (-12, -6, -3, -1, 0, 1, 3, 6, 12, 40)})
    probabilities = []
    for i, arm in enumerate(arms):
        others = lambda x: np.prod([special.betainc(*other, x) for j, other in enumerate(arms) if j != i])
        probabilities.append(integral(lambda x: beta_pdf(*arm)(x) * others(x), points))
    add("bestOfProportions", {"arms": group}, {"probabilities": probabilities})

# Corrections for several metrics: statsmodels.
for size in (1, 2, 3, 5, 8, 20):
    for kind in ("uniform", "small", "ties"):
        p = rounded(rng.random(size) if kind == "uniform" else rng.random(size) ** 6)
        if kind == "ties":
            p = rounded(np.round(p, 1))
        for name, method in (("holm", "holm"), ("benjamini-hochberg", "fdr_bh")):
            add("adjusted", {"pValues": list(p), "correction": name}, {"adjusted": list(multipletests(p, method=method)[1])})

# Ratio of units: scipy for the chi-squared test, mpmath for the sequential one.
for counts, weights in (([500, 500], [1, 1]), ([520, 480], [1, 1]), ([5_300, 4_700], [0.5, 0.5]), ([0, 10], [1, 1]), ([10, 0], [1, 1]),
                        ([900, 110], [9, 1]), ([10**6, 10**6 + 5_000], [1, 1]), ([10**8, 10**8 + 9_000], [1, 1]),
                        ([300, 330, 290], [1, 1, 1]), ([1_000, 500, 250, 260], [4, 2, 1, 1]), ([1, 0, 0], [1, 1, 1]),
                        ([821_588, 815_482], [1, 1])):
    shares = np.array(weights) / sum(weights)
    expected = shares * sum(counts)
    k, n = len(counts), sum(counts)
    factor = mp.loggamma(n + k) - mp.loggamma(k) - sum(mp.loggamma(c + 1) for c in counts)
    factor += sum(c * mp.log(mp.mpf(w) / mp.mpf(sum(weights))) for c, w in zip(counts, weights))
    add("sampleRatio", {"counts": counts, "weights": weights},
        {"pValue": stats.chisquare(counts, expected).pvalue, "sequentialPValue": float(min(1, mp.exp(factor)))})


# The prior beta(1/2, 1/2) has an infinite density at 0. With the square root as the variable the density is finite.
mp.mp.dps = 20
half = mp.mpf(1) / 2
for sa, na, sb, nb in ((0, 10, 1, 12), (3, 40, 5, 38), (0, 200, 0, 150)):
    aa, ba, ab, bb = sa + half, na - sa + half, sb + half, nb - sb + half
    f = lambda u: (2 * u ** (2 * aa - 1) * (1 - u * u) ** (ba - 1) / mp.beta(aa, ba)
                   * mp.betainc(ab, bb, u * u, 1, regularized=True))
    probability = float(mp.quad(f, [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1]))
    add("prior", {"control": [sa, na], "treatment": [sb, nb], "prior": {"a": 0.5, "b": 0.5}}, {"probability": probability})


def plain(value):
    return value.item() if isinstance(value, np.generic) else float(value)


output = pathlib.Path(__file__).with_suffix(".json")
lines = ",\n".join(json.dumps(case, default=plain, separators=(",", ":")) for case in cases)
output.write_text(f"[\n{lines}\n]\n")
print(f"{len(cases)} cases")
