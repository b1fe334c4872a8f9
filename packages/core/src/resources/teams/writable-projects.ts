import type { Resource, ResourceLevel } from '../../rules/address.ts'
import { appliesTo, type CompiledStatement } from '../../rules/policy/compiled-statement.ts'
import { type Candidate, type CompiledPolicy, compilePolicy } from '../../rules/policy/policy.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import type { RoleAttributes } from '../../rules/policy/text-pattern.ts'
import { lastKind } from '../../rules/policy/vocabulary.ts'
import { actionsOf, compileRole, resourceShapes } from '../policy.ts'

/** The properties of a role that decide about write access. */
interface NamedPolicy {
  readonly key: string
  readonly policy: readonly Statement[]
}

/** The properties of a project that policies check. */
type Project = Required<Pick<ResourceLevel, 'key' | 'tags'>>

/** All actions that change something in a project, by kind of resource. */
const writeActions = resourceShapes
  .filter((shape) => shape === 'proj' || shape.startsWith('proj:'))
  .map((shape) => ({
    inner: shape
      .split(':')
      .slice(1)
      .map((kind) => ({ kind, key: '*' })),
    actions: actionsOf(lastKind(shape)).filter((action) => !action.startsWith('view')),
  }))

/**
 * Returns a test of whether roles give any write access to a project: whether a role allows an action other than
 * `view…` on a resource in it, and does not deny that action on all resources of the kind.
 *
 * @param roleAttributes values of `${roleAttribute/name}` in the roles.
 */
export function writeAccess(
  roles: readonly NamedPolicy[],
  roleAttributes: RoleAttributes,
): (project: Project) => boolean {
  const policies = roles.map(({ key, policy }) =>
    compilePolicy([compileRole({ name: key, statements: policy }, { roleAttributes })]),
  )
  return ({ key, tags }) =>
    writeActions.some(({ inner, actions }) => {
      const resource = [{ kind: 'proj', key, tags }, ...inner]
      return actions.some((action) => policies.some((policy) => mayDoSomewhere(policy, action, resource)))
    })
}

function mayDoSomewhere(policy: CompiledPolicy, action: string, resource: Resource): boolean {
  return policy
    .candidates(action, resource)
    .some(({ allows, denies }) => anyApplies(allows, resource, 'some') && !anyApplies(denies, resource, 'all'))
}

/**
 * Returns true if a statement applies. Statements are matched in the opposite way here. In an access decision, an allow
 * must match all resources and a deny only one of them. Here an allow must match only one resource, because one
 * resource that the caller may change is enough.
 */
function anyApplies(
  candidates: readonly Candidate[],
  resource: Resource,
  reach: CompiledStatement['coverage'],
): boolean {
  const opposite = reach === 'some' ? 'all' : 'some'
  return candidates.some(({ statement, specifiers }) =>
    appliesTo({ ...statement, coverage: statement.negated ? opposite : reach }, specifiers, resource),
  )
}
