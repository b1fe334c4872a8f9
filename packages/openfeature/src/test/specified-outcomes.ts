import { ErrorCode, type EvaluationContext, type JsonValue } from '@openfeature/core'

export type FlagType = 'Boolean' | 'String' | 'Number' | 'Object'

/** The expected result of an evaluation. Properties that are omitted may have any value. */
export interface SpecifiedOutcome {
  /** The scenario that specifies this outcome. */
  readonly scenario: string
  readonly key: string
  readonly type: FlagType
  readonly fallback: JsonValue
  readonly context?: EvaluationContext
  readonly value: JsonValue
  readonly variant?: string
  readonly reason?: string
  readonly errorCode?: ErrorCode
  readonly errorMessage?: string
  readonly metadata?: object
}

const template = { showImages: true, title: 'Check out these pics!', imagesPerPage: 100 }

const plain = [
  ['Boolean', 'boolean-flag', false, true, 'on'],
  ['String', 'string-flag', 'bye', 'hi', 'greeting'],
  ['Number', 'integer-flag', 1, 10, 'ten'],
  ['Number', 'float-flag', 0.1, 0.5, 'half'],
  ['Object', 'object-flag', {}, template, 'template'],
] as const

const zeros = [
  ['Boolean', 'boolean', true, false],
  ['String', 'string', 'hi', ''],
  ['Number', 'integer', 1, 0],
  ['Number', 'float', 0.1, 0],
  ['Object', 'object', { a: 1 }, {}],
] as const

const mismatched = [
  ['boolean-flag', 'String', 'bye'],
  ['boolean-flag', 'Number', 1],
  ['boolean-flag', 'Number', 0.1],
  ['string-flag', 'Boolean', false],
  ['string-flag', 'Number', 1],
  ['string-flag', 'Number', 0.1],
  ['string-flag', 'Object', {}],
  ['wrong-flag', 'Number', 13],
  ['wrong-flag', 'Boolean', false],
  ['integer-flag', 'Boolean', false],
  ['integer-flag', 'String', 'fallback'],
  ['float-flag', 'Boolean', false],
  ['float-flag', 'String', 'fallback'],
  ['object-flag', 'Boolean', false],
  ['object-flag', 'String', 'fallback'],
  ['object-flag', 'Number', 0.1],
] as const

const missing = [
  ['Boolean', false],
  ['String', 'bye'],
  ['Number', 1],
  ['Number', 0.1],
  ['Object', { a: 1 }],
] as const

const trackedKey = '5c3d8535-f81a-4478-a6d3-afaa4d51199e'
const miss = 'f20bd32d-703b-48b6-bc8e-79d53c85134a'

/**
 * The evaluations of the OpenFeature specification (open-feature/spec, specification/assets): evaluation.feature and
 * evaluation_v2.feature of gherkin, and evaluation.feature, errors.feature and reason.feature of provider-tck.
 *
 * Left out: the reason `CACHED`, as the provider evaluates in process; integers, as JavaScript has no type for them;
 * and flags that are off and have an off variation, as the engine returns that variation, while provider-tck expects
 * the default value.
 */
export const specifiedOutcomes: readonly SpecifiedOutcome[] = [
  ...plain.map(([type, key, fallback, value, variant]) => ({
    scenario: 'Complete evaluation details structure',
    ...{ type, key, fallback, value, variant, reason: 'STATIC' },
  })),
  ...zeros.map(([type, name, fallback, value]) => ({
    scenario: 'Resolves zero value',
    ...{ type, key: `${name}-zero-flag`, fallback, value, variant: 'zero', reason: 'STATIC' },
  })),
  ...zeros.map(([type, name, fallback, value]) => ({
    scenario: 'Resolves zero value with targeting',
    context: { email: 'ballmer@macrosoft.com' },
    ...{ type, key: `${name}-targeted-zero-flag`, fallback, value, reason: 'TARGETING_MATCH' },
  })),
  ...zeros.map(([type, name, fallback, value]) => ({
    scenario: 'Resolves zero value with targeting using default',
    context: { email: 'ballmer@none.com' },
    ...{ type, key: `${name}-targeted-zero-flag`, fallback, value, reason: 'DEFAULT' },
  })),
  ...zeros.map(([type, name, fallback, value]) => ({
    scenario: 'Empty evaluation context',
    ...{ type, key: `${name}-targeted-zero-flag`, fallback, value, reason: 'DEFAULT' },
  })),
  ...zeros.map(([type, name, fallback, value]) => ({
    scenario: 'Null context values',
    context: { email: null },
    ...{ type, key: `${name}-targeted-zero-flag`, fallback, value, reason: 'DEFAULT' },
  })),
  {
    scenario: 'Resolves based on context',
    context: { fn: 'Sulisław', ln: 'Świętopełk', age: 29, customer: false },
    ...{ type: 'String', key: 'context-aware', fallback: 'EXTERNAL', value: 'INTERNAL', reason: 'TARGETING_MATCH' },
  },
  {
    scenario: 'Resolves based on context, when it is empty',
    ...{ type: 'String', key: 'context-aware', fallback: 'neither', value: 'EXTERNAL', reason: 'DEFAULT' },
  },
  {
    scenario: 'Multiple context attributes targeting',
    context: { email: 'ballmer@macrosoft.com', role: 'admin', age: 65, customer: false },
    ...{ type: 'String', key: 'context-aware', fallback: 'false', value: 'INTERNAL', reason: 'TARGETING_MATCH' },
  },
  {
    scenario: 'A large integer resolves without loss of precision',
    ...{ type: 'Number', key: 'large-integer-flag', fallback: 1, value: 2_147_483_647, variant: 'max-int32' },
  },
  {
    scenario: 'An integer beyond 32 bits resolves without loss of precision',
    ...{ type: 'Number', key: 'huge-integer-flag', fallback: 1, value: 9_007_199_254_740_991, reason: 'STATIC' },
  },
  {
    scenario: 'Supplying an evaluation context does not disturb an untargeted resolution',
    context: { targetingKey: miss },
    ...{ type: 'String', key: 'string-flag', fallback: 'bye', value: 'hi' },
  },
  {
    scenario: 'A matching evaluation context resolves the targeted variant',
    context: { targetingKey: trackedKey },
    ...{ type: 'String', key: 'targeting-key-flag', fallback: 'fallback', value: 'hit', reason: 'TARGETING_MATCH' },
  },
  {
    scenario: 'A non-matching evaluation context resolves the default variant',
    context: { targetingKey: miss },
    ...{ type: 'String', key: 'targeting-key-flag', fallback: 'fallback', value: 'miss', reason: 'DEFAULT' },
  },
  {
    scenario: 'No evaluation context resolves the default variant',
    ...{ type: 'String', key: 'targeting-key-flag', fallback: 'fallback', value: 'miss', reason: 'DEFAULT' },
  },
  {
    scenario: 'DISABLED reason',
    ...{ type: 'Boolean', key: 'boolean-disabled-flag', fallback: false, value: false, reason: 'DISABLED' },
  },
  {
    scenario: 'DISABLED reason',
    ...{ type: 'String', key: 'string-disabled-flag', fallback: 'bye', value: 'bye', reason: 'DISABLED' },
  },
  {
    scenario: 'Flag metadata in evaluation details',
    ...{ type: 'Boolean', key: 'metadata-flag', fallback: false, value: true },
    metadata: { string: '1.0.2', integer: 2, float: 0.1, boolean: true },
  },
  ...plain.slice(0, 4).map(([type, key, fallback, value]) => ({
    scenario: 'Returns no metadata',
    ...{ type, key, fallback, value, metadata: {} },
  })),
  ...missing.map(([type, fallback]) => ({
    scenario: 'Flag not found error',
    ...{ type, key: 'non-existent-flag', fallback, value: fallback, reason: 'ERROR' },
    errorCode: ErrorCode.FLAG_NOT_FOUND,
  })),
  {
    scenario: 'Error message in evaluation details',
    ...{ type: 'Boolean', key: 'error-flag', fallback: false, value: false, reason: 'ERROR' },
    errorCode: ErrorCode.FLAG_NOT_FOUND,
    errorMessage: 'flag error-flag not found',
  },
  ...mismatched.map(([key, type, fallback]) => ({
    scenario: 'Type mismatch error',
    ...{ type, key, fallback, value: fallback, reason: 'ERROR', errorCode: ErrorCode.TYPE_MISMATCH },
  })),
]
