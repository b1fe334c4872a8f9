import type {
  JsonSchema,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../document/open-api-document.ts'
import { anchorOf, descriptionMarkdown, propertyTable, table, typeMarkdown } from './schema-markdown.ts'

/**
 * Returns a document as pages of Markdown: `README.md` lists the operations, each tag has a page, and `schemas.md`
 * contains the schemas that several operations use.
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
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const pages = document.tags.map(({ name, description }): [string, string] => {
    const operationsOfTag = operations.filter(({ operation }) => operation.tags.includes(name))
    const parts = [`# ${name}`, description, ...operationsOfTag.map((item) => operationSection(document, item))]
    return [fileOf(name), page(parts)]
  })
  return { 'README.md': index(document, operations), ...Object.fromEntries(pages), 'schemas.md': schemasPage(document) }
}

interface DescribedOperation {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

const fileOf = (tag: string) => `${anchorOf(tag)}.md`
const page = (parts: readonly (string | undefined)[]) => `${parts.filter((part) => part).join('\n\n')}\n`

function index({ info, tags }: OpenApiDocument, operations: readonly DescribedOperation[]): string {
  const lists = tags.flatMap(({ name }) => [
    `## [${name}](${fileOf(name)})`,
    table(
      ['operation', 'request', 'summary'],
      operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ method, path, operation: { operationId, summary } }) => [
          `[${operationId}](${fileOf(name)}#${anchorOf(operationId)})`,
          `\`${method} ${path}\``,
          summary,
        ]),
    ),
  ])
  const introduction =
    'Written by `npm run generate` from the operation definitions, like [openapi.json](openapi.json) in this folder; ' +
    '[changes since the last release](changes.md). `GET /api/v2/docs` serves the same content as a page.'
  const errors =
    'In addition to the errors listed for it, any operation can respond with 401 `unauthorized`, 429 `rate_limited`, 503 ' +
    '`service_unavailable` and 500 `internal_error`, and one with a request body with 413 or 415 `invalid_request`.'
  const storedOnly =
    'A property that is **only stored** (`x-stored-only` in the document) can be set and read, and has no effect.'
  return page([
    `# ${info.title} ${info.version}: reference`,
    introduction,
    info.description,
    errors,
    storedOnly,
    ...lists,
  ])
}

function operationSection(document: OpenApiDocument, { method, path, operation }: DescribedOperation): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const bodies = Object.entries(requestBody?.content ?? {})
  return [
    `## ${operationId}`,
    `\`${method} ${path}\``,
    `${summary}.`,
    description,
    parameterTable(document, parameters),
    ...bodies.map(([type, content]) => bodySection(type, content)),
    requestBody?.description,
    responseTable(document, responses),
  ]
    .filter((part) => part)
    .join('\n\n')
}

function parameterTable(
  document: OpenApiDocument,
  declared: readonly (ParameterObject | Reference)[],
): string | undefined {
  if (declared.length === 0) return undefined
  const parameters = declared.map((item) => ('$ref' in item ? (componentAt(document, item) as ParameterObject) : item))
  return table(
    ['parameter', 'in', 'type', 'about'],
    parameters.map(({ name, in: location, required, schema, description }) => [
      `\`${name}\`${required ? '' : ' (optional)'}`,
      location,
      typeMarkdown(schema),
      descriptionMarkdown({ description, default: schema.default } as JsonSchema),
    ]),
  )
}

function bodySection(type: string, { schema, examples }: MediaTypeObject): string {
  const value = examples?.example?.value
  const text = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, undefined, 2)
  const example = value === undefined ? [] : [`\`\`\`${typeof value === 'string' ? '' : 'json'}\n${text}\n\`\`\``]
  return [`Body, \`${type}\`: ${typeMarkdown(schema)}`, propertyTable(schema), ...example]
    .filter((part) => part)
    .join('\n\n')
}

/** Statuses of errors that any operation can have. The index describes them. */
const commonStatuses: ReadonlySet<string> = new Set(['401', '413', '415', '429', '500', '503'])

function responseTable(document: OpenApiDocument, responses: OperationObject['responses']): string {
  const specificResponses = Object.entries(responses).filter(([status]) => !commonStatuses.has(status))
  const rows = specificResponses.map(([status, declared]) => {
    const response = '$ref' in declared ? (componentAt(document, declared) as ResponseObject) : declared
    const [content] = Object.values(response.content ?? {})
    const codes = Object.keys(content?.examples ?? {}).filter((name) => name !== 'example')
    const codesOrType =
      codes.length > 0 ? codes.map((code) => `\`${code}\``).join(', ') : content ? typeMarkdown(content.schema) : ''
    return [status, codesOrType, response.description]
  })
  return table(['status', 'response', 'when'], rows)
}

function componentAt({ components }: OpenApiDocument, { $ref }: Reference): unknown {
  const [kind = '', name = ''] = $ref.split('/').slice(2)
  return (components as Record<string, Record<string, unknown>>)[kind]?.[name]
}

function schemasPage({ components }: OpenApiDocument): string {
  const sections = Object.entries(components.schemas).map(([name, schema]) =>
    [`## ${name}`, schema.description, propertyTable(schema) ?? typeMarkdown(schema)]
      .filter((part) => part)
      .join('\n\n'),
  )
  return page(['# Schemas', 'Named schemas of requests and responses.', ...sections])
}
