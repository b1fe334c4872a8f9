import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { errorTable, pipelineErrorCodes } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeReference, type ReferenceFiles, referenceFolder, releasedFiles } from '../src/build/make-reference.ts'
import type {
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from '../src/document/open-api-document.ts'
import { publishedSchemas } from './published-schemas.ts'

const { operations } = createEngine({ storage: createMemoryStorage() })
const read = (file: string) => readFile(path.join(referenceFolder, file), 'utf8')

let reference: ReferenceFiles
let document: OpenApiDocument
let documentedOperations: readonly (readonly [string, OperationObject])[]

beforeAll(async () => {
  const [last] = await releasedFiles()
  reference = await makeReference(last === undefined ? undefined : await read(last))
  // As clients read it: without properties that JSON omits.
  document = JSON.parse(reference.files['openapi.json'] as string)
  documentedOperations = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((item): [string, OperationObject] => [item.operationId, item]),
  )
})

describe('docs/reference', () => {
  it('has pages whose links lead to existing headings', () => {
    const headings = (file: string) =>
      [...(reference.files[file] ?? '').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
        text
          .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      )
    const anchorsByFile = new Map(Object.keys(reference.files).map((file) => [file, new Set(headings(file))]))
    const broken = Object.entries(reference.files)
      .filter(([file]) => file.endsWith('.md'))
      .flatMap(([file, text]) =>
        [...text.matchAll(/\]\(([^)#\s]+)(?:#([^)]+))?\)/g)]
          .filter(
            ([, target = '', anchor]) =>
              !anchorsByFile.has(target) || (anchor && !anchorsByFile.get(target)?.has(anchor)),
          )
          .map(([link]) => `${file}: ${link}`),
      )
    expect(broken).toEqual([])
  })
})

describe('the document', () => {
  it('is valid OpenAPI 3.1 according to an independent validator', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    )
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it('contains every operation with its method and path', () => {
    const expected = operations.map(({ id, method, path }) => `${id} ${method} ${path}`)
    const actual = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    )
    expect(actual.sort()).toEqual(expected.sort())
  })

  it('contains every error that an operation declares, and the errors of the stages before it runs', () => {
    const missing = operations.flatMap(({ id, errors }) => {
      const { responses } = new Map(documentedOperations).get(id) as OperationObject
      const commonCodes = pipelineErrorCodes.filter((code) => code !== 'method_not_allowed' && code !== 'not_found')
      return [...errors, ...commonCodes]
        .filter((code) => !(errorTable[code].status in responses))
        .map((code) => `${id}: ${code}`)
    })
    expect(missing).toEqual([])
  })

  it('states for every JSON Patch which parts it may change, and which action each change needs', () => {
    const problems = operations.flatMap(({ id, body }) => {
      if (body?.kind !== 'patch') return []
      const { description = '', content = {} } = new Map(documentedOperations).get(id)?.requestBody ?? {}
      const accepts = 'application/json' in content
      if (body.paths.length === 0) return accepts || description !== '' ? [`${id}: offers a JSON Patch`] : []
      const missing = [...Object.keys(body.actions), ...Object.values(body.actions).flat()]
        .map((part) => `\`${part.replace(/\/\*\*$/, '')}\``)
        .filter((part) => !description.includes(part))
      const withoutAction = Object.keys(body.actions).filter((path) => body.actions[path]?.length === 0)
      return [
        ...missing.map((part) => `${id}: ${part} is missing`),
        ...withoutAction.map((path) => `${id}: a change of ${path} needs no action`),
      ]
    })
    expect(problems).toEqual([])
    const patches = Object.values(reference.files).filter((text) => text.includes('A JSON Patch may change'))
    expect(patches.length).toBeGreaterThan(0)
    expect(patches.filter((text) => /A JSON Patch may change *[.(]/.test(text))).toEqual([])
  })

  it('offers a dry run of every operation that changes something, except uploads', () => {
    const offering = documentedOperations
      .filter(([, { parameters = [] }]) => parameters.some((item) => '$ref' in item && item.$ref.endsWith('/DryRun')))
      .map(([id]) => id)
    const changing = operations.filter(({ method, body }) => method !== 'GET' && body?.kind !== 'upload')
    expect(offering.sort()).toEqual(changing.map(({ id }) => id).sort())
  })

  it('describes every parameter and tag, and has no references to decisions in summaries', () => {
    const problems = documentedOperations.flatMap(([id, { parameters = [], summary }]) => [
      ...parameters
        .filter((item) => !('$ref' in item) && !item.description)
        .map((item) => `${id}: ${(item as ParameterObject).name}`),
      ...(/\(D\d+\)/.test(summary) ? [`${id}: ${summary}`] : []),
    ])
    expect(problems).toEqual([])
    expect(document.tags.filter(({ name, description }) => description === `${name}.`)).toEqual([])
  })

  it('has a valid example of every request and every response', () => {
    const { schemaErrorsOf } = publishedSchemas(document)
    const contents = documentedOperations.flatMap(([id, { requestBody, responses, parameters = [] }]) => {
      const bodies = Object.values(requestBody?.content ?? {})
      const responseContents = Object.entries(responses).flatMap(([status, response]) =>
        /^2/.test(status) && 'content' in response ? Object.values(response.content ?? {}) : [],
      )
      const missing = [
        ...(requestBody && !bodies.some(({ examples }) => examples) ? [`${id}: no example of the request body`] : []),
        ...(responseContents.some(({ examples }) => !examples) ? [`${id}: no example of the response body`] : []),
        ...parameters
          .filter((item): item is ParameterObject => !('$ref' in item))
          .filter((item) => item.in === 'path' && item.example === undefined)
          .map(({ name }) => `${id}: no ${name}`),
      ]
      const parametersWithExample = parameters.filter(
        (item): item is ParameterObject => !('$ref' in item) && item.example !== undefined,
      )
      return [
        ...missing,
        ...[...bodies, ...responseContents].flatMap((content) =>
          exampleErrors(content, schemaErrorsOf).map((schemaError) => `${id}: ${schemaError}`),
        ),
        ...parametersWithExample.flatMap(({ name, schema, example }) =>
          schemaErrorsOf(schema, example).map((schemaError) => `${id}: ${name} ${schemaError}`),
        ),
      ]
    })
    const errors = Object.entries(document.components.responses).flatMap(([name, { content = {} }]) =>
      Object.values(content).flatMap((item) =>
        exampleErrors(item, schemaErrorsOf).map((schemaError) => `${name}: ${schemaError}`),
      ),
    )
    expect([...contents, ...errors]).toEqual([])
  })

  it('contains an example of a validation error that equals the response of the API', async () => {
    const engine = createEngine({ storage: createMemoryStorage() })
    const token = (await engine.bootstrap())?.token
    const header = (name: string) => (name === 'authorization' ? token : undefined)
    const request = {
      method: 'GET',
      path: '/api/v2/projects',
      query: 'limit=1000',
      header,
      body: { kind: 'parsed', value: undefined },
    } as const
    const { status, body } = await engine.handle(request)
    const documentedExample =
      document.components.responses.InvalidRequest?.content?.['application/json']?.examples?.invalid_request
    expect([status, JSON.parse(body as string)]).toEqual([400, documentedExample?.value])
  })
})

function exampleErrors(
  { schema, examples = {} }: MediaTypeObject,
  schemaErrorsOf: ReturnType<typeof publishedSchemas>['schemaErrorsOf'],
): string[] {
  return Object.values(examples).flatMap(({ value }) => schemaErrorsOf(schema, value))
}
