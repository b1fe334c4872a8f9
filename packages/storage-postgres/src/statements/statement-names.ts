import type { Query } from '../connections/sql-driver.ts'

/** Maximum number of named statements: each connection keeps the plans of all that it has run. */
const maxNames = 64

/** Maximum number of texts whose runs are counted. */
const maxCounted = 1_024

/** Number of runs after which a text gets a name. */
const minRuns = 3

/** The names of composed statements that run often, by text. */
export class StatementNames {
  readonly #schema: string
  readonly #names = new Map<string, string>()
  readonly #runs = new Map<string, number>()

  /** @param schema part of each name. */
  constructor(schema: string) {
    this.#schema = schema
  }

  /**
   * Counts a run of a text and returns the name of the text; undefined while the text has not been run often. Storages
   * that share connections give the same text the same name, because the name contains a hash of the text.
   */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name !== undefined || this.#names.size === maxNames) return name
    const count = (this.#runs.get(text) ?? 0) + 1
    if (count >= minRuns) {
      this.#runs.delete(text)
      this.#names.set(text, `${hashOf(text, 1)}${hashOf(text, 2)} ${this.#schema}`)
    } else if (this.#runs.has(text) || this.#runs.size < maxCounted) this.#runs.set(text, count)
    return this.#names.get(text)
  }
}

/** Returns a query function that names composed statements that run often, so that each connection plans them once. */
export function namingQuery(query: Query, names: StatementNames): Query {
  return (statement) => {
    const name = statement.composed && names.nameOf(statement.text)
    return query(name ? { ...statement, name } : statement)
  }
}

/** Returns a hash of 32 bits (FNV-1a with a start value of its own) as text. */
function hashOf(text: string, seed: number): string {
  let hash = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}
