import { documents, type Versioned } from '../../storage/collection.ts'
import type { Row } from '../../storage/reader.ts'
import type { OptimizationResult } from './optimization-result.ts'

/** What a run knows of one of its results. */
export type RunResult = Pick<OptimizationResult, 'id' | 'createdAt' | 'iteration'>

/**
 * The results of one run, so that storage finds the newest of each run without looking at the others. Whatever adds a
 * result or takes the run away changes this, so those who do it at once collide here.
 */
export interface OptimizationRun extends Versioned {
  /** Newest first (D30), never empty. */
  readonly results: readonly RunResult[]
}

/** Most results that a run can have. */
export const mostResults = 1000

/** The fields of a run as lists see them. */
export interface RunFields {
  /** Id of its newest result. */
  readonly newestId: string
  /** Of the newest result. */
  readonly createdAt: number
  /** Of the newest result. */
  readonly iteration: number
  /** When the oldest result was created: the age of the run. */
  readonly startedAt: number
  readonly resultCount: number
}

export const optimizationRuns = documents<OptimizationRun>()({
  name: 'agent-optimization-run',
  address: 'proj/{projectKey}:agent-optimization/{optimizationKey}:run/{runId}',
  fields: ({ results }) => {
    const { id: newestId, createdAt, iteration } = results[0] as RunResult
    const startedAt = (results.at(-1) as RunResult).createdAt
    const fields: RunFields = { newestId, createdAt, iteration, startedAt, resultCount: results.length }
    return { ...fields }
  },
})

/** The narrow row of a run. */
export function runFields({ fields }: Pick<Row, 'fields'>): RunFields {
  // Cast: a row has the fields that the collection of runs declares.
  return fields as unknown as RunFields
}

/** A run's results with one more, newest first; of two alike the one with the greater id. */
export function withResult(results: readonly RunResult[], { id, createdAt, iteration }: RunResult): RunResult[] {
  const isOlder = (other: RunResult) =>
    createdAt - other.createdAt || iteration - other.iteration || (id > other.id ? 1 : -1)
  const place = results.findIndex((other) => isOlder(other) > 0)
  return results.toSpliced(place < 0 ? results.length : place, 0, { id, createdAt, iteration })
}
