import { documents, type Versioned } from '../../storage/collection.ts'
import type { Row } from '../../storage/reader.ts'
import type { OptimizationResult } from './optimization-result.ts'

/** The part of a result that its run stores. */
export type RunResult = Pick<OptimizationResult, 'id' | 'createdAt' | 'iteration'>

/**
 * The results of one run. With this document, the storage finds the newest result of each run without reading the other
 * results. Every operation that adds a result or deletes the run writes this document, so two such operations at the
 * same time conflict.
 */
export interface OptimizationRun extends Versioned {
  /** Newest first (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d30-agent-optimizations). Never empty. */
  readonly results: readonly RunResult[]
}

/** Maximum number of results of a run. */
export const maxResults = 1000

/** Fields of a run that lists sort by and return. */
export interface RunFields {
  /** Id of the newest result. */
  readonly newestId: string
  /** Time of creation of the newest result: integer ms. */
  readonly createdAt: number
  /** Iteration of the newest result. */
  readonly iteration: number
  /** Time of creation of the oldest result, which is the start of the run. */
  readonly startedAt: number
  readonly resultCount: number
}

export const optimizationRuns = documents<OptimizationRun>()({
  name: 'agent-optimization-run',
  recorded: true,
  address: 'proj/{projectKey}:agent-optimization/{optimizationKey}:run/{runId}',
  fields: ({ results }) => {
    const { id: newestId, createdAt, iteration } = results[0] as RunResult
    const startedAt = (results.at(-1) as RunResult).createdAt
    const fields: RunFields = { newestId, createdAt, iteration, startedAt, resultCount: results.length }
    return { ...fields }
  },
})

/** Returns the fields of the narrow row of a run. */
export function runFields({ fields }: Pick<Row, 'fields'>): RunFields {
  // Cast: a row has the fields that the collection of runs declares.
  return fields as unknown as RunFields
}

/**
 * Inserts a result into the results of a run, newest first. If two results have equal times and iterations, the result
 * with the greater id comes first.
 */
export function withResult(results: readonly RunResult[], { id, createdAt, iteration }: RunResult): RunResult[] {
  const isOlder = (other: RunResult) =>
    createdAt - other.createdAt || iteration - other.iteration || (id > other.id ? 1 : -1)
  const index = results.findIndex((other) => isOlder(other) > 0)
  return results.toSpliced(index < 0 ? results.length : index, 0, { id, createdAt, iteration })
}
