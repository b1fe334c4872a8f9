import { type Operation, parameterDescriptions } from '@halyard/core/operations'
import type { GenericSchema } from 'valibot'
import { describeParameter } from './describe-parameter.ts'
import type { OperationExample } from './examples.ts'
import type { JsonSchema, ParameterObject, Reference } from './open-api-document.ts'
import { jsonSchemaOf } from './to-json-schema.ts'

/** Pattern of a key (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys). */
const keyPattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$'

/** Returns the parameters of an operation: path, query, then headers. */
export function parametersOf(operation: Operation, example?: OperationExample): (ParameterObject | Reference)[] {
  const { method, beta, query, body } = operation
  return [
    ...pathParameters(operation, example),
    ...(query ? queryParameters(operation, query, example) : []),
    ...(body?.kind === 'upload' ? uploadParameters(operation, body.fields, example) : []),
    // An upload is stored in parts while it is read, so it has no dry run.
    ...(method === 'GET' || body?.kind === 'upload' ? [] : [sharedReference('DryRun')]),
    ...(beta ? [sharedReference('BetaVersion')] : []),
    ...(method === 'GET' && example?.headers.etag !== undefined ? [sharedReference('IfNoneMatch')] : []),
    ...(example?.supportsIfMatch ? [sharedReference('IfMatch')] : []),
  ]
}

/** Returns the parameters that several operations share. */
export function sharedParameters(versionHeader: string): Readonly<Record<string, ParameterObject>> {
  return {
    DryRun: {
      name: 'dryRun',
      in: 'query',
      description: parameterDescriptions.dryRun,
      schema: { type: 'boolean', default: false },
    },
    BetaVersion: {
      name: versionHeader,
      in: 'header',
      description: 'Required, because the operation is in beta and may change.',
      required: true,
      schema: { const: 'beta' },
      example: 'beta',
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'The `ETag` that the resource must still have; otherwise the response is 409 and nothing is changed.',
      schema: { type: 'string' },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'An `ETag` that the caller has; the response is 304 when the resource still has it.',
      schema: { type: 'string' },
    },
  }
}

const sharedReference = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` })

function pathParameters({ id, path, freeParams = [] }: Operation, example?: OperationExample): ParameterObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    ...descriptionProperty(id, name),
    required: true,
    schema: freeParams.includes(name)
      ? { type: 'string', minLength: 1, maxLength: 256 }
      : { type: 'string', pattern: keyPattern },
    ...exampleProperty(example?.params?.[name]),
  }))
}

function queryParameters({ id }: Operation, query: GenericSchema, example?: OperationExample): ParameterObject[] {
  const { properties = {}, required = [] } = jsonSchemaOf(query)
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const fullDescription = [describeParameter(id, name), description].filter((part) => part !== undefined).join(' ')
    const text = example?.query?.[name]
    return {
      name,
      in: 'query',
      ...(fullDescription === '' ? {} : { description: fullDescription }),
      ...(required.includes(name) ? { required: true } : {}),
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema,
      ...exampleProperty(text === undefined ? undefined : exampleValue(schema, text)),
    }
  })
}

/** Returns the query parameters that accompany a file sent as the body; in a form they are parts. */
function uploadParameters(operation: Operation, fields: GenericSchema, example?: OperationExample): ParameterObject[] {
  return queryParameters(operation, fields, example).map(({ required, ...parameter }) => ({
    ...parameter,
    description: `${parameter.description ?? ''} For a body that is the file itself; in a form it is a part.`.trim(),
  }))
}

const descriptionProperty = (id: string, name: string) => {
  const description = describeParameter(id, name)
  return description === undefined ? {} : { description }
}

const exampleProperty = (example: unknown) => (example === undefined ? {} : { example })

/** Converts the text of a query parameter to the value that its schema describes. */
function exampleValue({ type }: JsonSchema, text: string): unknown {
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true' || text === '1'
  return type === 'array' ? text.split(',') : text
}
