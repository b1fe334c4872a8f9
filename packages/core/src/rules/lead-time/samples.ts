/** Indexes of the columns in `LeadTimeSamples.values`. `deployedAt` is the sample's own `at`. */
export const leadTimeColumns = { startedAt: 0, openedAt: 1, mergedAt: 2, deployStartedAt: 3 } as const

/**
 * Lead-time samples as columns, in order of time. It has the shape of a storage's `SampleColumns`, a type that rules do
 * not import.
 */
export interface LeadTimeSamples {
  /** Time at which each sample was deployed: integer milliseconds UTC, ascending. */
  readonly at: Float64Array
  /** Application keys, each once. */
  readonly labels: readonly string[]
  /** For each sample, the index of its label in `labels`. */
  readonly label: Uint32Array
  /** The columns of `leadTimeColumns`, in milliseconds; NaN if a time is missing. */
  readonly values: readonly Float64Array[]
}

/** Returns the samples of some applications, in order of time. */
export function onlyApplications(samples: LeadTimeSamples, applications: readonly string[]): LeadTimeSamples {
  const isIncluded = samples.labels.map((label) => applications.includes(label))
  if (!isIncluded.includes(false)) return samples
  const rows = new Uint32Array(samples.label.length)
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    if (isIncluded[samples.label[i]!]) rows[count++] = i
  }
  return pickRows(samples, rows.subarray(0, count))
}

/** Times for the total lead times of one application, in order of time. */
export interface TotalSamples {
  readonly at: Float64Array
  readonly startedAt: Float64Array
}

/** Returns the samples of each application, at the index of its label. */
export function splitByApplication({ at, labels, label, values }: LeadTimeSamples): TotalSamples[] {
  const startedAt = values[leadTimeColumns.startedAt]!
  const sizes = new Uint32Array(labels.length)
  for (let i = 0; i < label.length; i++) sizes[label[i]!]!++
  const parts = Array.from(sizes, (size) => ({ at: new Float64Array(size), startedAt: new Float64Array(size) }))
  const next = new Uint32Array(labels.length)
  for (let i = 0; i < label.length; i++) {
    const part = parts[label[i]!]!
    const row = next[label[i]!]!++
    part.at[row] = at[i]!
    part.startedAt[row] = startedAt[i]!
  }
  return parts
}

function pickRows({ at, labels, label, values }: LeadTimeSamples, rows: Uint32Array): LeadTimeSamples {
  const pick = (column: Float64Array) => {
    const picked = new Float64Array(rows.length)
    for (let i = 0; i < rows.length; i++) picked[i] = column[rows[i]!]!
    return picked
  }
  return { at: pick(at), labels, label: rows.map((row) => label[row]!), values: values.map(pick) }
}
