import type { Operation } from '@halyard/core/operations'
import { type JsonSchema, type OperationInput, operationInput } from '@halyard/openapi'
import { kebabCase, type OperationCommand } from './command-name.ts'

/** A part of the input of an operation that the command line can name. */
export interface OperationOption {
  /** Name on the command line without dashes, e.g. `project`. */
  readonly flag: string
  /** Name in the input or in the body, e.g. `projectKey`. */
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
  readonly required: boolean
  readonly type: ValueType
  readonly help: string
}

/** The way in which the text of an option becomes a value. */
export type ValueType = 'string' | 'number' | 'boolean' | 'list' | 'json'

/** The arguments of an operation's command. */
export interface OperationArguments {
  /** Path parameters that are given without an option, in the order of the path. */
  readonly positionals: readonly OperationOption[]
  readonly options: readonly OperationOption[]
  readonly body: OperationInput['body']
}

/** Options of every operation. A property of a body with one of these names is set with `--set`. */
export const sharedFlags = [
  ...[
    'output',
    'profile',
    'url',
    'token',
    'storage',
    'account',
    'dry-run',
    'body',
    'set',
    'file',
    'out',
    'if-match',
    'at',
  ],
  ...['help', 'version'],
] as const

/**
 * Returns the arguments of an operation. The project and the environment are options, because a profile can preset
 * them, except where the command is about projects or environments themselves.
 */
export function argumentsOf({ group, operation }: OperationCommand): OperationArguments {
  const { parameters, body } = operationInput(operation)
  const scopes = ['projectKey', 'environmentKey'].filter((name) => `${kebabCase(name).replace(/-key$/, '')}s` !== group)
  const declared = parameters.map(({ name, in: location, required, schema, description }) => ({
    flag: scopes.includes(name) && location === 'path' ? name.replace(/Key$/, '') : parameterFlag(name),
    name,
    in: location,
    required,
    type: location === 'path' ? ('string' as const) : valueTypeOf(schema),
    help: description ?? '',
  }))
  const positionals = declared.filter((option) => option.in === 'path' && !scopes.includes(option.name))
  const options = declared.filter((option) => !positionals.includes(option))
  const used = new Set<string>([...sharedFlags, ...options.map(({ flag }) => flag)])
  const properties = body ? bodyOptions(operation, body).filter(({ flag }) => !used.has(flag)) : []
  return { positionals, options: [...options, ...properties], body }
}

/** Returns the option of a parameter. One with the name of a shared option, such as `token`, is `query-token`. */
function parameterFlag(name: string): string {
  const flag = kebabCase(name)
  return flag !== 'dry-run' && (sharedFlags as readonly string[]).includes(flag) ? `query-${flag}` : flag
}

function bodyOptions({ body: declaration }: Operation, { kind, schema }: NonNullable<OperationInput['body']>) {
  const isSemantic = declaration?.kind === 'patch' && declaration.semantic !== undefined
  const patchProperties: JsonSchema = {
    properties: {
      comment: { type: 'string', description: 'Comment for the change log.' },
      ...(isSemantic ? { environmentKey: { type: 'string', description: 'Environment to change.' } } : {}),
      ...(isSemantic ? { instructions: { type: 'array', description: 'Instructions of a semantic patch.' } } : {}),
    },
  }
  const { properties = {}, required = [] } = kind === 'patch' ? patchProperties : schema
  return Object.entries(properties).map(([name, property]) => ({
    flag: kebabCase(name),
    name,
    in: 'body' as const,
    required: required.includes(name),
    type: valueTypeOf(property),
    help: property.description ?? '',
  }))
}

function valueTypeOf({ type, enum: values, const: constant, anyOf, items }: JsonSchema): ValueType {
  if (values !== undefined || constant !== undefined || type === 'string') return 'string'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'array' && items?.type === 'string') return 'list'
  const types = (anyOf ?? []).map(valueTypeOf)
  if (types.includes('string')) return 'string'
  return types.find((each) => each !== 'json') ?? 'json'
}
