import { createEngine, type Engine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

/** The environment with the flags of the specification. */
export const environment = { projectKey: 'specification', environmentKey: 'production' }

const template = { showImages: true, title: 'Check out these pics!', imagesPerPage: 100 }

interface SpecifiedFlag {
  readonly key: string
  /** Values by the name of the variant. */
  readonly variants: Readonly<Record<string, unknown>>
  /** Variant of the default rule; undefined for a flag that is off and has no off variation. */
  readonly served: string | undefined
  /** The rule that serves a variant to contexts with this attribute value. */
  readonly rule?: { readonly attribute: string; readonly value: unknown; readonly variant: string }
  readonly customProperties?: object
}

const zero = (type: string, value: unknown, other: unknown): SpecifiedFlag => ({
  key: `${type}-zero-flag`,
  variants: { zero: value, 'non-zero': other },
  served: 'zero',
})

const targetedZero = (type: string, value: unknown, other: unknown): SpecifiedFlag => ({
  ...zero(type, value, other),
  key: `${type}-targeted-zero-flag`,
  rule: { attribute: 'email', value: 'ballmer@macrosoft.com', variant: 'zero' },
})

const zeros = [
  ['boolean', false, true],
  ['string', '', 'str'],
  ['integer', 0, 1],
  ['float', 0, 1],
  ['object', {}, template],
] as const

/**
 * The flags of the scenarios of the OpenFeature specification (open-feature/spec): those of
 * specification/assets/gherkin/test-flags.json, and the flags with a target by key and without an off variation of
 * specification/assets/provider-tck/flags/canonical-flags.json.
 */
const flags: readonly SpecifiedFlag[] = [
  { key: 'boolean-flag', variants: { on: true, off: false }, served: 'on' },
  { key: 'string-flag', variants: { greeting: 'hi', parting: 'bye' }, served: 'greeting' },
  { key: 'integer-flag', variants: { one: 1, ten: 10 }, served: 'ten' },
  { key: 'float-flag', variants: { tenth: 0.1, half: 0.5 }, served: 'half' },
  { key: 'object-flag', variants: { empty: {}, template }, served: 'template' },
  { key: 'large-integer-flag', variants: { 'max-int32': 2_147_483_647, one: 1 }, served: 'max-int32' },
  { key: 'huge-integer-flag', variants: { 'max-safe': 9_007_199_254_740_991, one: 1 }, served: 'max-safe' },
  { key: 'wrong-flag', variants: { one: 'uno', two: 'dos' }, served: 'one' },
  {
    key: 'context-aware',
    variants: { internal: 'INTERNAL', external: 'EXTERNAL' },
    served: 'external',
    rule: { attribute: 'customer', value: false, variant: 'internal' },
  },
  {
    key: 'targeting-key-flag',
    variants: { miss: 'miss', hit: 'hit' },
    served: 'miss',
    rule: { attribute: 'key', value: '5c3d8535-f81a-4478-a6d3-afaa4d51199e', variant: 'hit' },
  },
  {
    key: 'metadata-flag',
    variants: { on: true, off: false },
    served: 'on',
    customProperties: {
      string: { name: 'A text', value: ['1.0.2'] },
      integer: { name: 'An integer', value: ['2'] },
      float: { name: 'A fraction', value: ['0.1'] },
      boolean: { name: 'A truth value', value: ['true'] },
    },
  },
  { key: 'changing-flag', variants: { foo: 'foo', bar: 'bar' }, served: 'foo' },
  { key: 'boolean-disabled-flag', variants: { on: true, off: false }, served: undefined },
  { key: 'string-disabled-flag', variants: { greeting: 'hi', parting: 'bye' }, served: undefined },
  ...zeros.map(([type, value, other]) => zero(type, value, other)),
  ...zeros.map(([type, value, other]) => targetedZero(type, value, other)),
]

/** Creates an engine in memory with these flags. */
export async function specificationEngine() {
  const storage = createMemoryStorage()
  const engine = createEngine({ storage })
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: environment.projectKey, name: 'Specification' } }, { as })
  const instruct = instructions(engine, as)
  for (const flag of flags) await createFlag(engine, as, flag, instruct)
  return { engine, storage, as, instruct }
}

/** Returns a function that applies instructions to a flag. */
function instructions(engine: Engine, as: string) {
  return (flagKey: string, ...list: object[]) =>
    engine.api.patchFlag(
      {
        projectKey: environment.projectKey,
        flagKey,
        body: { environmentKey: environment.environmentKey, instructions: list } as never,
      },
      { as },
    )
}

async function createFlag(
  { api }: Engine,
  as: string,
  { key, variants, served, rule, customProperties }: SpecifiedFlag,
  instruct: ReturnType<typeof instructions>,
): Promise<void> {
  const names = Object.keys(variants)
  const variations = names.map((name) => ({ name, value: variants[name] }))
  const on = served === undefined ? 0 : names.indexOf(served)
  const defaults = { onVariation: on, offVariation: 1 - on }
  const body = { key, name: key, variations, defaults, customProperties } as never
  const flag = await api.createFlag({ projectKey: environment.projectKey, body }, { as })
  const id = (name: string) => flag.variations[names.indexOf(name)]?._id
  if (served === undefined) {
    const flagKey = key
    const off = [{ op: 'remove', path: `/environments/${environment.environmentKey}/offVariation` }]
    await api.patchFlag({ projectKey: environment.projectKey, flagKey, body: off as never }, { as })
    return
  }
  const clauses = rule && [
    { contextKind: 'user', attribute: rule.attribute, op: 'in', values: [rule.value], negate: false },
  ]
  await instruct(
    key,
    { kind: 'turnFlagOn' },
    ...(rule ? [{ kind: 'addRule', clauses, variationId: id(rule.variant) }] : []),
  )
}
