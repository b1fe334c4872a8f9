import type { JsonSchema } from '../document/open-api-document.ts'

/**
 * Returns the possible values of a schema as Markdown for a table cell: `Phase`[], `web` or `mobile`, string (1 to 256
 * characters).
 */
export function typeMarkdown(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, const: constant, enum: values, items, additionalProperties, type } = schema
  if ($ref) return linkTo($ref)
  if (anyOf ?? oneOf) return (anyOf ?? oneOf ?? []).map(typeMarkdown).join(' or ')
  if (constant !== undefined) return `\`${String(constant)}\``
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (items) return `list of ${typeMarkdown(items)}${limitMarkdown(schema)}`
  if (typeof additionalProperties === 'object') return `map of ${typeMarkdown(additionalProperties)}`
  return `${type === undefined ? 'any value' : [type].flat().join(' or ')}${limitMarkdown(schema)}`
}

/** Returns the properties of an object as a table; undefined when it has no known properties. */
export function propertyTable({ properties, required = [] }: JsonSchema): string | undefined {
  const propertyList = Object.entries(properties ?? {})
  if (propertyList.length === 0) return undefined
  return table(
    ['member', 'type', 'about'],
    propertyList.map(([name, schema]) => [
      `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
      typeMarkdown(schema),
      descriptionMarkdown(schema),
    ]),
  )
}

/** Returns the description of a value, its default, and whether the engine only stores it. */
export function descriptionMarkdown(schema: JsonSchema): string {
  const { description, default: defaultValue } = schema
  const parts = [
    schema['x-stored-only'] ? '**Only stored**: has no effect.' : undefined,
    description,
    defaultValue === undefined ? undefined : `Default \`${JSON.stringify(defaultValue)}\`.`,
  ]
  return parts.filter((part) => part !== undefined).join(' ')
}

/** Returns a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Returns the anchor of a heading on its page. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

function linkTo(reference: string): string {
  const name = reference.split('/').at(-1) as string
  return `[${name}](schemas.md#${anchorOf(name)})`
}

function limitMarkdown({
  type,
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  pattern,
}: JsonSchema): string {
  const limits = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    pattern === undefined ? '' : pattern === keyPattern ? 'a key' : `\`${pattern}\``,
  ].filter((part) => part !== '')
  return limits.length === 0 || type === undefined ? '' : ` (${limits.join('; ')})`
}

const keyPattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$'

function range(from: number | undefined, to: number | undefined, unit: string): string {
  const upperBound = to === Number.MAX_SAFE_INTEGER ? undefined : to
  if (from !== undefined && upperBound !== undefined)
    return from === upperBound ? `${from}${unit}` : `${from} to ${upperBound}${unit}`
  if (from !== undefined) return `at least ${from}${unit}`
  return upperBound === undefined ? '' : `at most ${upperBound}${unit}`
}
