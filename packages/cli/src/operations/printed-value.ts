import { stringify } from 'yaml'

/** The formats of `--output`. */
export const outputFormats = ['table', 'json', 'yaml'] as const

export type OutputFormat = (typeof outputFormats)[number]

/**
 * Returns a response as text, with a line feed at its end.
 *
 * @param value body of the response; undefined when it has no body, for which nothing is printed.
 */
export function printedValue(value: unknown, format: OutputFormat): string {
  if (value === undefined) return ''
  if (format === 'json') return `${JSON.stringify(value, undefined, 2)}\n`
  return format === 'yaml' ? stringify(value) : tableOf(value)
}

/** Maximum width of a cell of a list, characters. */
const maxCell = 60

/** Maximum number of columns of a list. */
const maxColumns = 7

/** The first columns of a table, most useful first. The other columns follow in the order of the response. */
const leadingColumns = ['key', '_id', 'id', 'name', 'email', 'kind', 'status', 'on', 'date', 'description']

type Row = Readonly<Record<string, unknown>>

function tableOf(value: unknown): string {
  const list = listOf(value)
  if (!list) return propertyTable(value)
  if (list.items.length === 0) return 'no items\n'
  const names = columnsOf(list.items)
  const rows = [
    names.map((name) => name.toUpperCase()),
    ...list.items.map((item) => names.map((name) => cellOf(item[name]))),
  ]
  const more =
    list.total !== undefined && list.total > list.items.length ? [`${list.items.length} of ${list.total}`] : []
  return `${[...alignedRows(rows), ...more].join('\n')}\n`
}

/** Returns the items of a response that is a list, or a page with a list. */
function listOf(value: unknown): { readonly items: readonly Row[]; readonly total: number | undefined } | undefined {
  if (isRows(value)) return { items: value, total: undefined }
  const { items, totalCount } = (value ?? {}) as { readonly items?: unknown; readonly totalCount?: number }
  return isRows(items) ? { items, total: totalCount } : undefined
}

const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))

function columnsOf(items: readonly Row[]): string[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) =>
    items.some((item) => isPlain(item[name])),
  )
  const position = (name: string) =>
    leadingColumns.includes(name) ? leadingColumns.indexOf(name) : leadingColumns.length
  return names.sort((a, b) => position(a) - position(b)).slice(0, maxColumns)
}

const isPlain = (value: unknown) => value !== undefined && (typeof value !== 'object' || Array.isArray(value))

/** Properties that only programs read: links, and the rights of the caller to each action. */
const omittedProperties: ReadonlySet<string> = new Set(['_links', '_access'])

function propertyTable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${printable(String(value))}\n`
  const rows = Object.entries(value)
    .filter(([name]) => !omittedProperties.has(name))
    .map(([name, property]) => [name, textOf(property)])
  return `${alignedRows(rows).join('\n')}\n`
}

/** Returns a cell of a list. The table of one resource has whole values, because some are shown only once. */
function cellOf(value: unknown): string {
  const text = textOf(value)
  return text.length > maxCell ? `${text.slice(0, maxCell - 1)}…` : text
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  const isTextList = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return printable(isTextList ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value))
}

function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd(),
  )
}

/** Replaces control characters, because texts of users could otherwise move the cursor of a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\uFFFD')
}
