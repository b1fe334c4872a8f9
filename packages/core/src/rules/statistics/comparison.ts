/** Method of comparing two variations, see `compareMeans`. */
export type ComparisonMethod = 'frequentist' | 'sequential' | 'bayesian'

/** The desired change of a metric. */
export type Direction = 'increase' | 'decrease'

/** An estimate, and the interval that contains the true value with probability `1 - level`. */
export interface IntervalEstimate {
  readonly estimate: number
  readonly lower: number
  readonly upper: number
}

/** Options of `compareMeans`. */
export interface ComparisonOptions {
  readonly method: ComparisonMethod
  /** Accepted probability of a wrong interval, 0 to 1, both excluded; default 0.05. */
  readonly level?: number
  /** The desired change of the metric; default `increase`. */
  readonly direction?: Direction
  /** Units that each variation must have; default 2, and 100 for the sequential method. */
  readonly minimumUnits?: number
  /** Units of both variations for which the sequential method is tuned; default 5,000. */
  readonly tuningUnits?: number
  /** Parameters of the prior Beta distribution of proportions, for the Bayesian method; default 1 and 1. */
  readonly prior?: { readonly a: number; readonly b: number }
}

/** The part of a result that every method has. */
export interface ComparisonBase {
  /** Treatment minus control. */
  readonly difference: IntervalEstimate
  /** Difference divided by the size of the control; absent where the control is 0. */
  readonly relativeDifference?: IntervalEstimate
  /** `inconclusive` while the interval of the difference contains 0. */
  readonly verdict: 'better' | 'worse' | 'inconclusive'
}

/** Result of the frequentist method, which is valid only if it is read once, at the end of the experiment. */
export interface FrequentistComparison extends ComparisonBase {
  readonly method: 'frequentist'
  readonly pValue: number
}

/** Result of the sequential method, which may be read at any time and as often as the caller likes. */
export interface SequentialComparison extends ComparisonBase {
  readonly method: 'sequential'
  readonly pValue: number
}

/** Result of the Bayesian method. */
export interface BayesianComparison extends ComparisonBase {
  readonly method: 'bayesian'
  /** Probability that the treatment is better than the control. */
  readonly probabilityToBeatControl: number
  /** Expected loss of value if the treatment is chosen, in units of the metric. */
  readonly expectedLoss: number
}

/** Result of a comparison of two variations. */
export type Comparison = FrequentistComparison | SequentialComparison | BayesianComparison
