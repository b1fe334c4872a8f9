import type { Sample, SampleColumns, ScanQuery } from '@halyard/core/storage'

/**
 * The samples of a series as columns. The first scan builds them, and later scans use them again, so that a range of a
 * million samples is copied from typed arrays instead of being collected from a million objects.
 */
export interface SampleTable {
  /**
   * Returns the columns of `samples[start..end)`.
   *
   * @param samples the whole series in order. The table adds the samples that it does not contain yet.
   */
  read(samples: readonly Sample[], start: number, end: number, query: ScanQuery): SampleColumns
  /** Invalidates everything from an index on, because samples there have changed their position. */
  invalidateFrom(from: number): void
}

type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

interface Column<T extends Numbers> {
  cells: T
  /** Number of cells that are up to date. */
  filled: number
  readonly cellOf: (sample: Sample) => number
}

/** Makes an empty table. */
export function createSampleTable(): SampleTable {
  const numbers = new Map<string, number>()
  const names: string[] = []
  const numberOf = (label: string) => {
    const existing = numbers.get(label)
    if (existing !== undefined) return existing
    numbers.set(label, names.length)
    return names.push(label) - 1
  }
  const at = column(new Float64Array(0), (sample) => sample.at)
  const label = column(new Uint32Array(0), (sample) => numberOf(sample.label))
  const values: Column<Float64Array<ArrayBuffer>>[] = []

  return {
    read(samples, start, end, { labels, columns }) {
      while (values.length < columns) values.push(valueColumn(values.length))
      const requested = values.slice(0, columns)
      for (const column of [at, label, ...requested]) fill(column, samples)
      const positions = labels && positionsOf(label.cells, start, end, new Set(labels.map((name) => numbers.get(name))))
      const pick = <T extends Numbers>(from: Column<T>) =>
        positions ? gather(from.cells, positions) : slice(from.cells, start, end)
      return {
        at: pick(at),
        ...renumber(pick(label), names),
        values: requested.map(pick),
      }
    },
    invalidateFrom(from) {
      for (const column of [at, label, ...values]) column.filled = Math.min(column.filled, from)
    },
  }
}

function column<T extends Numbers>(cells: T, cellOf: Column<T>['cellOf']): Column<T> {
  return { cells, filled: 0, cellOf }
}

function valueColumn(index: number): Column<Float64Array<ArrayBuffer>> {
  return column(new Float64Array(0), (sample) => sample.values[index] ?? Number.NaN)
}

function fill(target: Column<Numbers>, samples: readonly Sample[]): void {
  if (target.cells.length < samples.length) target.cells = enlarged(target.cells, samples.length)
  const { cells, cellOf } = target
  for (let i = target.filled; i < samples.length; i++) cells[i] = cellOf(samples[i]!)
  target.filled = samples.length
}

// A quarter of spare capacity makes appending cheap on average.
function enlarged<T extends Numbers>(cells: T, length: number): T {
  const larger = new (cells.constructor as new (length: number) => T)(Math.ceil(length * 1.25))
  larger.set(cells)
  return larger
}

function slice<T extends Numbers>(cells: T, start: number, end: number): T {
  return cells.slice(start, end) as T
}

function gather<T extends Numbers>(cells: T, positions: Uint32Array): T {
  const gathered = new (cells.constructor as new (length: number) => T)(positions.length)
  for (let i = 0; i < positions.length; i++) gathered[i] = cells[positions[i]!]!
  return gathered
}

function positionsOf(label: Uint32Array, start: number, end: number, labels: ReadonlySet<unknown>): Uint32Array {
  const positions = new Uint32Array(end - start)
  let count = 0
  for (let i = start; i < end; i++) {
    if (labels.has(label[i])) positions[count++] = i
  }
  return positions.subarray(0, count)
}

/** Numbers the labels of one response by their first occurrence, in place. */
function renumber(label: Uint32Array<ArrayBuffer>, names: readonly string[]): Pick<SampleColumns, 'label' | 'labels'> {
  const unseen = names.length
  const numbers = new Uint32Array(names.length).fill(unseen)
  const labels: string[] = []
  for (let i = 0; i < label.length; i++) {
    const name = label[i]!
    if (numbers[name] === unseen) numbers[name] = labels.push(names[name]!) - 1
    label[i] = numbers[name]!
  }
  return { label, labels }
}
