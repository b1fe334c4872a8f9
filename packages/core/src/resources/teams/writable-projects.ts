import type { Resource, ResourceLevel } from '../../rules/address.ts'
import { type CompiledStatement, speaksOf } from '../../rules/policy/compiled-statement.ts'
import { type Candidate, type CompiledPolicy, compilePolicy } from '../../rules/policy/policy.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import type { RoleAttributes } from '../../rules/policy/text-pattern.ts'
import { lastKind } from '../../rules/policy/vocabulary.ts'
import { actionsOf, compileRole, resourceShapes } from '../policy.ts'

/** A role as far as this is concerned. */
interface NamedPolicy {
  readonly key: string
  readonly policy: readonly Statement[]
}

/** What policies ask about a project. */
type Project = Required<Pick<ResourceLevel, 'key' | 'tags'>>

/** Every way in which something in a project can be changed. */
const writes = resourceShapes
  .filter((shape) => shape === 'proj' || shape.startsWith('proj:'))
  .map((shape) => ({
    inner: shape
      .split(':')
      .slice(1)
      .map((kind) => ({ kind, key: '*' })),
    actions: actionsOf(lastKind(shape)).filter((action) => !action.startsWith('view')),
  }))

/**
 * Makes the test whether roles give any write access to a project: whether some role allows some action that is no
 * `view…` on something in it, and does not deny that action on all that there is of the kind.
 *
 * @param roleAttributes what `${roleAttribute/name}` stands for in the roles.
 */
export function writeAccess(
  roles: readonly NamedPolicy[],
  roleAttributes: RoleAttributes,
): (project: Project) => boolean {
  const policies = roles.map(({ key, policy }) =>
    compilePolicy([compileRole({ name: key, statements: policy }, { roleAttributes })]),
  )
  return ({ key, tags }) =>
    writes.some(({ inner, actions }) => {
      const resource = [{ kind: 'proj', key, tags }, ...inner]
      return actions.some((action) => policies.some((policy) => mayDoSomewhere(policy, action, resource)))
    })
}

function mayDoSomewhere(policy: CompiledPolicy, action: string, resource: Resource): boolean {
  return policy
    .candidates(action, resource)
    .some(({ allows, denies }) => anySpeaks(allows, resource, 'some') && !anySpeaks(denies, resource, 'all'))
}

/** Decisions ask the opposite, an allow for all and a deny for some; here one thing that is left to change is enough. */
function anySpeaks(candidates: readonly Candidate[], resource: Resource, wanted: CompiledStatement['reach']): boolean {
  const opposite = wanted === 'some' ? 'all' : 'some'
  return candidates.some(({ statement, specifiers }) =>
    speaksOf({ ...statement, reach: statement.negated ? opposite : wanted }, specifiers, resource),
  )
}
