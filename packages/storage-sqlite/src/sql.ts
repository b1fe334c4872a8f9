/** A value that all SQLite databases read and write in the same way. */
export type SqlValue = string | number | null

/** SQL text with `?` for each value. The text never contains a value. */
export interface Sql {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** Makes SQL from a template: values become parameters, and SQL becomes part of the text. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (SqlValue | Sql)[]): Sql {
  let text = strings[0] ?? ''
  const values: SqlValue[] = []
  for (const [i, part] of parts.entries()) {
    if (typeof part === 'object' && part !== null) {
      text += part.text
      for (const value of part.values) values.push(value)
    } else {
      text += '?'
      values.push(part)
    }
    text += strings[i + 1]
  }
  return { text, values }
}

/** Makes SQL without values from a text of this package, e.g. the name of a column. */
export function fixedSql(text: string): Sql {
  return { text, values: [] }
}

/** Joins SQL with a separator. */
export function joinSql(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) }
}
