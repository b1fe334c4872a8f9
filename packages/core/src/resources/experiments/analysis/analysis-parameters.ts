/** Descriptions of the query parameters of results. */
export const analysisParameters = {
  method:
    'Comparison with the baseline: `bayesian`, `frequentist` for one look at the end, or `sequential` for looks at any time.',
  level: 'Probability that an interval misses the true value. Default 0.05.',
  correction:
    'Correction of p values for the number of metrics and treatments: `holm` (default), `benjamini-hochberg` or `none`.',
}
