import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { errorTable, gateCodes } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  makeReference,
  type ReferenceFiles,
  referenceFileNames,
  referenceFolder,
  releasedFiles,
} from '../src/build/make-reference.ts'
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
let described: readonly (readonly [string, OperationObject])[]

beforeAll(async () => {
  const [last] = await releasedFiles()
  reference = await makeReference(last === undefined ? undefined : await read(last))
  // As clients read it: without properties that JSON omits.
  document = JSON.parse(reference.files['openapi.json'] as string)
  described = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((one): [string, OperationObject] => [one.operationId, one]),
  )
})

describe('docs/reference', () => {
  it('equals the output of `npm run generate`', async () => {
    const kept = await releasedFiles()
    expect(kept.length).toBeLessThanOrEqual(1)
    const committed = (await referenceFileNames()).filter((file) => !kept.includes(file))
    expect(committed.sort()).toEqual(Object.keys(reference.files).sort())
    const stale = []
    for (const file of committed) if ((await read(file)) !== reference.files[file]) stale.push(file)
    expect(stale, 'run `npm run generate` and commit the result').toEqual([])
  })

  it('has pages whose links lead to existing headings', () => {
    const headings = (file: string) =>
      [...(reference.files[file] ?? '').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
        text
          .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      )
    const known = new Map(Object.keys(reference.files).map((file) => [file, new Set(headings(file))]))
    const broken = Object.entries(reference.files)
      .filter(([file]) => file.endsWith('.md'))
      .flatMap(([file, text]) =>
        [...text.matchAll(/\]\(([^)#\s]+)(?:#([^)]+))?\)/g)]
          .filter(([, target = '', anchor]) => !known.has(target) || (anchor && !known.get(target)?.has(anchor)))
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
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    )
    expect(found.sort()).toEqual(expected.sort())
  })

  it('contains every error that an operation declares, and the errors of the stages before it runs', () => {
    const missing = operations.flatMap(({ id, errors }) => {
      const { responses } = new Map(described).get(id) as OperationObject
      const always = gateCodes.filter((code) => code !== 'method_not_allowed' && code !== 'not_found')
      return [...errors, ...always]
        .filter((code) => !(errorTable[code].status in responses))
        .map((code) => `${id}: ${code}`)
    })
    expect(missing).toEqual([])
  })

  it('describes every parameter and tag, and has no references to decisions in summaries', () => {
    const wrong = described.flatMap(([id, { parameters = [], summary }]) => [
      ...parameters
        .filter((one) => !('$ref' in one) && !one.description)
        .map((one) => `${id}: ${(one as ParameterObject).name}`),
      ...(/\(D\d+\)/.test(summary) ? [`${id}: ${summary}`] : []),
    ])
    expect(wrong).toEqual([])
    expect(document.tags.filter(({ name, description }) => description === `${name}.`)).toEqual([])
  })

  it('has a valid example of every request and every response', () => {
    const { faultsOf } = publishedSchemas(document)
    const contents = described.flatMap(([id, { requestBody, responses, parameters = [] }]) => {
      const bodies = Object.values(requestBody?.content ?? {})
      const answers = Object.entries(responses).flatMap(([status, response]) =>
        /^2/.test(status) && 'content' in response ? Object.values(response.content ?? {}) : [],
      )
      const lacking = [
        ...(requestBody && !bodies.some(({ examples }) => examples) ? [`${id}: no example of the request body`] : []),
        ...(answers.some(({ examples }) => !examples) ? [`${id}: no example of the response body`] : []),
        ...parameters
          .filter((one): one is ParameterObject => !('$ref' in one))
          .filter((one) => one.in === 'path' && one.example === undefined)
          .map(({ name }) => `${id}: no ${name}`),
      ]
      const given = parameters.filter((one): one is ParameterObject => !('$ref' in one) && one.example !== undefined)
      return [
        ...lacking,
        ...[...bodies, ...answers].flatMap((content) =>
          exampleFaults(content, faultsOf).map((fault) => `${id}: ${fault}`),
        ),
        ...given.flatMap(({ name, schema, example }) =>
          faultsOf(schema, example).map((fault) => `${id}: ${name} ${fault}`),
        ),
      ]
    })
    const errors = Object.entries(document.components.responses).flatMap(([name, { content = {} }]) =>
      Object.values(content).flatMap((one) => exampleFaults(one, faultsOf).map((fault) => `${name}: ${fault}`)),
    )
    expect([...contents, ...errors]).toEqual([])
  })

  it('contains the error that the API sends', async () => {
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
    const shown = document.components.responses.InvalidRequest?.content?.['application/json']?.examples?.invalid_request
    expect([status, JSON.parse(body as string)]).toEqual([400, shown?.value])
  })
})

function exampleFaults(
  { schema, examples = {} }: MediaTypeObject,
  faultsOf: ReturnType<typeof publishedSchemas>['faultsOf'],
): string[] {
  return Object.values(examples).flatMap(({ value }) => faultsOf(schema, value))
}
