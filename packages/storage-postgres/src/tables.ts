/** The tables of one schema, quoted and qualified, ready to stand in SQL text. */
export interface Tables {
  readonly schema: string
  /** The channel of `pg_notify` on which all who use the schema tell each other. */
  readonly channel: string
  readonly documents: string
  readonly members: string
  readonly samples: string
  readonly tasks: string
  /** Lanes of tasks whose first one went: the next one is to be looked at. */
  readonly openings: string
  readonly sampleTerms: string
  readonly shares: string
  readonly migrations: string
  /** The function that fails a statement whose counts differ. */
  readonly settle: string
}

/**
 * Names the tables of a schema.
 *
 * @param schema 1 to 40 of `[a-z0-9_]`, not starting with a digit. It is the one part of the SQL text that comes from
 *   outside, and short enough to be part of a statement's name, of which Postgres keeps 63 bytes.
 * @throws TypeError for another schema.
 */
export function tablesOf(schema: string): Tables {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new TypeError(
      `schema: expected 1 to 40 of [a-z0-9_], not starting with a digit, got ${JSON.stringify(schema)}`,
    )
  }
  const named = (table: string) => `"${schema}".${table}`
  return {
    schema: `"${schema}"`,
    channel: `halyard_${schema}`,
    documents: named('documents'),
    members: named('members'),
    samples: named('samples'),
    tasks: named('tasks'),
    openings: named('openings'),
    sampleTerms: named('sample_terms'),
    shares: named('shares'),
    migrations: named('migrations'),
    settle: named('settle'),
  }
}
