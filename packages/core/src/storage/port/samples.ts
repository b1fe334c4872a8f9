/** Identifies a series of samples. */
export interface SeriesId {
  readonly name: string
  readonly scope: string
}

/** One entry of a series, which is never changed. */
export interface Sample {
  /** Unique within the series. */
  readonly id: string
  /** Integer milliseconds, UTC. */
  readonly at: number
  /** A short text to group and filter by, e.g. an application key. */
  readonly label: string
  /** At most 8 numbers; null at the index of a missing number. */
  readonly values: readonly (number | null)[]
  /** JSON value, or null. Not part of a scan. */
  readonly body: unknown
  /**
   * Short texts, each once, by which the sample is found without a scan of the series. Omitted for a sample without
   * terms.
   */
  readonly terms?: readonly string[]
}

/** Selects samples of a series by time and label. */
export interface ScanQuery {
  readonly series: SeriesId
  /** Start of the range, inclusive: integer ms, UTC. */
  readonly from: number
  /** End of the range, exclusive: integer ms, UTC. */
  readonly to: number
  /** Only samples with one of these labels; undefined means all. */
  readonly labels?: readonly string[]
  /** Number of leading `values` to return, 0 to 8. */
  readonly columns: number
}

/** Samples as columns: `values[c][i]` is column c of sample i; a missing number is NaN. */
export interface SampleColumns {
  readonly at: Float64Array
  /** Distinct labels in order of first appearance. */
  readonly labels: readonly string[]
  /** For each sample, the index of its label in `labels`. */
  readonly label: Uint32Array
  readonly values: readonly Float64Array[]
}

/** Selects samples of a series, newest first. */
export interface NewestQuery {
  readonly series: SeriesId
  readonly limit: number
  /** Only samples strictly after this sample in the order of the response, i.e. older samples. */
  readonly before?: { readonly at: number; readonly id: string }
  /**
   * Returns the previous page: the samples directly before this sample in the order of the response, which are strictly
   * newer. Cannot be combined with `before` or `terms`.
   */
  readonly since?: { readonly at: number; readonly id: string }
  /** Only samples of this time or later: integer ms, UTC. Default: all. */
  readonly from?: number
  /** Only samples with one of these labels. Default: all. */
  readonly labels?: readonly string[]
  /**
   * Only samples that have at least one term of each of these lists. The cost grows with the number of matches, not
   * with the number of stored samples. Cannot be combined with `labels`.
   */
  readonly terms?: readonly (readonly string[])[]
}
