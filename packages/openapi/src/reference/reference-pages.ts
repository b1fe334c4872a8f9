import type {
  JsonSchema,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../document/open-api-document.ts'
import { aboutWords, anchorOf, memberTable, table, typeWords } from './schema-words.ts'

/**
 * A document as pages of Markdown: `README.md` lists the operations, each tag has a page, `schemas.md` holds what several
 * of them show or take.
 *
 * @returns the pages by the names of their files.
 *
 * @example
 * ```ts
 * import { openApiDocument, referencePages } from '@halyard/openapi'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const { operations } = await createTestEngine()
 * const pages = referencePages(openApiDocument(operations, { version: '1.0.0' }))
 * console.log('README.md' in pages, 'teams.md' in pages) // true true
 * ```
 */
export function referencePages(document: OpenApiDocument): Readonly<Record<string, string>> {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const pages = document.tags.map(({ name, description }): [string, string] => {
    const own = described.filter(({ operation }) => operation.tags.includes(name))
    const parts = [`# ${name}`, description, ...own.map((one) => operationSection(document, one))]
    return [fileOf(name), page(parts)]
  })
  return { 'README.md': index(document, described), ...Object.fromEntries(pages), 'schemas.md': schemasPage(document) }
}

interface Described {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

const fileOf = (tag: string) => `${anchorOf(tag)}.md`
const page = (parts: readonly (string | undefined)[]) => `${parts.filter((part) => part).join('\n\n')}\n`

function index({ info, tags }: OpenApiDocument, described: readonly Described[]): string {
  const lists = tags.flatMap(({ name }) => [
    `## [${name}](${fileOf(name)})`,
    table(
      ['operation', 'request', 'summary'],
      described
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ method, path, operation: { operationId, summary } }) => [
          `[${operationId}](${fileOf(name)}#${anchorOf(operationId)})`,
          `\`${method} ${path}\``,
          summary,
        ]),
    ),
  ])
  const about =
    'Written by `npm run generate` from the operation definitions, like [openapi.json](openapi.json) in this folder; ' +
    '[changes since the last release](changes.md). `GET /api/v2/docs` serves the same content as a page.'
  const errors =
    'In addition to the errors listed for it, any operation can respond with 401 `unauthorized`, 429 `rate_limited`, 503 ' +
    '`service_unavailable` and 500 `internal_error`, and one with a request body with 413 or 415 `invalid_request`.'
  return page([`# ${info.title} ${info.version}: reference`, about, info.description, errors, ...lists])
}

function operationSection(document: OpenApiDocument, { method, path, operation }: Described): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const bodies = Object.entries(requestBody?.content ?? {})
  return [
    `## ${operationId}`,
    `\`${method} ${path}\``,
    `${summary}.`,
    description,
    parameterTable(document, parameters),
    ...bodies.map(([type, content]) => bodyWords(type, content)),
    requestBody?.description,
    answerWords(document, responses),
  ]
    .filter((part) => part)
    .join('\n\n')
}

function parameterTable(
  document: OpenApiDocument,
  given: readonly (ParameterObject | Reference)[],
): string | undefined {
  if (given.length === 0) return undefined
  const parameters = given.map((one) => ('$ref' in one ? (componentAt(document, one) as ParameterObject) : one))
  return table(
    ['parameter', 'in', 'type', 'about'],
    parameters.map(({ name, in: place, required, schema, description }) => [
      `\`${name}\`${required ? '' : ' (optional)'}`,
      place,
      typeWords(schema),
      aboutWords({ description, default: schema.default } as JsonSchema),
    ]),
  )
}

function bodyWords(type: string, { schema, examples }: MediaTypeObject): string {
  const value = examples?.example?.value
  const text = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, undefined, 2)
  const example = value === undefined ? [] : [`\`\`\`${typeof value === 'string' ? '' : 'json'}\n${text}\n\`\`\``]
  return [`Body, \`${type}\`: ${typeWords(schema)}`, memberTable(schema), ...example]
    .filter((part) => part)
    .join('\n\n')
}

/** Statuses of errors that any operation can have. The index describes them. */
const everywhere: ReadonlySet<string> = new Set(['401', '413', '415', '429', '500', '503'])

function answerWords(document: OpenApiDocument, responses: OperationObject['responses']): string {
  const own = Object.entries(responses).filter(([status]) => !everywhere.has(status))
  const rows = own.map(([status, given]) => {
    const response = '$ref' in given ? (componentAt(document, given) as ResponseObject) : given
    const [content] = Object.values(response.content ?? {})
    const codes = Object.keys(content?.examples ?? {}).filter((name) => name !== 'example')
    const shown =
      codes.length > 0 ? codes.map((code) => `\`${code}\``).join(', ') : content ? typeWords(content.schema) : ''
    return [status, shown, response.description]
  })
  return table(['status', 'answer', 'when'], rows)
}

function componentAt({ components }: OpenApiDocument, { $ref }: Reference): unknown {
  const [kind = '', name = ''] = $ref.split('/').slice(2)
  return (components as Record<string, Record<string, unknown>>)[kind]?.[name]
}

function schemasPage({ components }: OpenApiDocument): string {
  const sections = Object.entries(components.schemas).map(([name, schema]) =>
    [`## ${name}`, schema.description, memberTable(schema) ?? typeWords(schema)].filter((part) => part).join('\n\n'),
  )
  return page(['# Schemas', 'Named schemas of requests and responses.', ...sections])
}
