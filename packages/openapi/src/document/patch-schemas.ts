import type { JsonSchema } from './open-api-document.ts'

const pointer = { type: 'string', description: 'A JSON Pointer (RFC 6901), e.g. `/name` or `/tags/0`.' }

const operationOf = (op: JsonSchema, operand: 'value' | 'from' | undefined): JsonSchema => ({
  type: 'object',
  properties: {
    op,
    path: pointer,
    ...(operand === 'value' ? { value: {} } : {}),
    ...(operand === 'from' ? { from: pointer } : {}),
  },
  required: ['op', 'path', ...(operand ? [operand] : [])],
})

/**
 * Schemas of patches, which operations do not declare because all resources use the same
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
 */
export const patchSchemas: Readonly<Record<string, JsonSchema>> = {
  JsonPatchOperation: {
    description: 'One operation of a JSON Patch (RFC 6902).',
    anyOf: [
      operationOf({ type: 'string', enum: ['add', 'replace', 'test'] }, 'value'),
      operationOf({ const: 'remove' }, undefined),
      operationOf({ type: 'string', enum: ['move', 'copy'] }, 'from'),
    ],
  },
  JsonPatch: {
    description: 'A JSON Patch (RFC 6902): either all operations are applied or none.',
    type: 'array',
    items: { $ref: '#/components/schemas/JsonPatchOperation' },
    maxItems: 1000,
  },
  CommentedJsonPatch: {
    description: 'A JSON Patch with a comment for the change log.',
    type: 'object',
    properties: { comment: { type: 'string' }, patch: { $ref: '#/components/schemas/JsonPatch' } },
    required: ['patch'],
  },
}

export const jsonPatch: JsonSchema = {
  anyOf: [{ $ref: '#/components/schemas/JsonPatch' }, { $ref: '#/components/schemas/CommentedJsonPatch' }],
}

/** A JSON Merge Patch (RFC 7396) of scalar properties. */
export const mergePatch: JsonSchema = {
  type: 'object',
  description: 'A JSON Merge Patch (RFC 7396) of the same properties.',
  minProperties: 1,
  not: { required: ['patch'] },
  // Cast: JSON Schema allows a list of types; `JsonSchema` has one, as all others here do.
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } as unknown as JsonSchema,
}

/**
 * Returns the schema of a semantic patch (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch)
 * with instructions of this kind.
 */
export function semanticPatch(instruction: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      comment: { type: 'string', description: 'Comment for the change log.' },
      environmentKey: { type: 'string', description: 'Environment to which the instructions apply.' },
      instructions: { type: 'array', items: instruction, maxItems: 1000 },
    },
    required: ['instructions'],
  }
}
