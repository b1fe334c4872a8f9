import {
  actionsOf,
  isKeylessKind,
  type Resource,
  type ResourceLevel,
  type ResourceShape,
  type Statement,
} from '@halyard/core/policy'
import fc from 'fast-check'

/** The words of which policies and queries are made. They are few, so that policies often apply to queries. */
export interface PolicyVocabulary {
  /** Shapes of resources. Default: projects, environments, flags, segments and teams. */
  readonly shapes?: readonly ResourceShape[]
  /** Keys of resources (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys). Default: six keys. */
  readonly keys?: readonly string[]
  /** Default: `beta` and `critical`. */
  readonly tags?: readonly string[]
  /** Names for `${roleAttribute/name}`. Default: no names, so that policies have no placeholders. */
  readonly roleAttributes?: readonly string[]
}

/** A query to a policy: an action on a resource. */
export interface PolicyQuery {
  readonly action: string
  readonly resource: Resource
}

const defaults: Required<PolicyVocabulary> = {
  shapes: ['proj', 'proj:env', 'proj:env:flag', 'proj:env:segment', 'team'],
  keys: ['web', 'mobile', 'production', 'test', 'checkout', 'checkout-old'],
  tags: ['beta', 'critical'],
  roleAttributes: [],
}

/**
 * Generates policies of up to five well-formed statements
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 * @param vocabulary should equal that of {@link policyQueries}.
 */
export function policies(vocabulary: PolicyVocabulary = {}): fc.Arbitrary<Statement[]> {
  return fc.array(statements(vocabulary), { maxLength: 5 })
}

/**
 * Generates well-formed statements of every form in decision D15
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies): wildcards, tags, properties, placeholders, and negated
 * lists.
 */
export function statements(vocabulary: PolicyVocabulary = {}): fc.Arbitrary<Statement> {
  const vocabularyWithDefaults = { ...defaults, ...vocabulary }
  const seldomTrue = fc.constantFrom(false, false, false, true)
  return fc
    .uniqueArray(fc.constantFrom(...vocabularyWithDefaults.shapes), { minLength: 1, maxLength: 2 })
    .chain((shapes) =>
      fc
        .record({
          effect: fc.constantFrom('allow', 'allow', 'deny'),
          resources: fc.tuple(...shapes.map((shape) => specifier(shape, vocabularyWithDefaults))),
          actions: fc.uniqueArray(actionEntry(shapes), { minLength: 1, maxLength: 2 }),
          negatesResources: seldomTrue,
          negatesActions: seldomTrue,
        })
        .map(({ effect, resources, actions, negatesResources, negatesActions }) => ({
          effect,
          [negatesResources ? 'notResources' : 'resources']: resources,
          [negatesActions ? 'notActions' : 'actions']: actions,
        })),
    )
}

/** Generates queries about resources, some of which represent all resources of a kind, with actions of their kinds. */
export function policyQueries(vocabulary: PolicyVocabulary = {}): fc.Arbitrary<PolicyQuery> {
  const vocabularyWithDefaults = { ...defaults, ...vocabulary }
  return fc.constantFrom(...vocabularyWithDefaults.shapes).chain((shape) =>
    fc.record({
      action: fc.constantFrom(...actionsOf(lastKind(shape))),
      resource: fc.tuple(...shape.split(':').map((kind) => level(kind, vocabularyWithDefaults))),
    }),
  )
}

function level(kind: string, { keys, tags }: Required<PolicyVocabulary>): fc.Arbitrary<ResourceLevel> {
  if (isKeylessKind(kind)) return fc.constant({ kind, key: '' })
  return fc.record({
    kind: fc.constant(kind),
    key: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...keys) }, { weight: 1, arbitrary: fc.constant('*') }),
    tags: fc.subarray([...tags]),
    properties: fc.constantFrom<NonNullable<ResourceLevel['properties']>>({}, { critical: true }, { critical: false }),
  })
}

function specifier(shape: ResourceShape, vocabularyWithDefaults: Required<PolicyVocabulary>): fc.Arbitrary<string> {
  const levels = shape
    .split(':')
    .map((kind) =>
      isKeylessKind(kind)
        ? fc.constant(kind)
        : fc
            .tuple(levelName(vocabularyWithDefaults), qualifier(vocabularyWithDefaults))
            .map(([name, qualified]) => `${kind}/${name}${qualified}`),
    )
  return fc.tuple(...levels).map((texts) => texts.join(':'))
}

function levelName({ keys, roleAttributes }: Required<PolicyVocabulary>): fc.Arbitrary<string> {
  const key = fc.constantFrom(...keys)
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('*') },
    { weight: 3, arbitrary: key },
    { weight: 1, arbitrary: key.map((text) => `${text.slice(0, Math.ceil(text.length / 2))}*`) },
    { weight: 1, arbitrary: key.map((text) => `*${text.slice(-1)}`) },
    ...(roleAttributes.length > 0
      ? [{ weight: 1, arbitrary: fc.constantFrom(...roleAttributes).map((name) => `\${roleAttribute/${name}}`) }]
      : []),
  )
}

function qualifier({ tags }: Required<PolicyVocabulary>): fc.Arbitrary<string> {
  const requiredTags = fc.subarray([...tags], { minLength: Math.min(1, tags.length) })
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: requiredTags.map((tagNames) => (tagNames.length > 0 ? `;${tagNames.join(',')}` : '')) },
    { weight: 1, arbitrary: fc.constant(';{critical:true}') },
  )
}

function actionEntry(shapes: readonly ResourceShape[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('*', 'update*', 'view*', 'create*', 'delete*'),
    fc.constantFrom(...shapes.flatMap((shape) => actionsOf(lastKind(shape)))),
  )
}

function lastKind(shape: ResourceShape): string {
  return shape.split(':').at(-1) ?? shape
}
